import type { DescField, DescMethod } from "@bufbuild/protobuf";
import type { PathTemplate, TemplateVariable } from "./path-template.ts";
import type { TextReader } from "./text-reader.ts";

/** One way to call a method over HTTP: a google.api.http rule, resolved against the descriptors. */
export interface Binding {
  readonly method: DescMethod;
  /** In capitals, or `*` for any. */
  readonly httpMethod: string;
  readonly template: PathTemplate;
  readonly variables: readonly BoundVariable[];
  /** What the request body is: nothing, the whole message, or one of its fields. */
  readonly body: "none" | "message" | DescField;
  /** The field that the response body is; undefined: the whole message. */
  readonly responseField: DescField | undefined;
}

/** A path variable and the field that it sets. */
export interface BoundVariable extends TemplateVariable {
  /** From the request message down. */
  readonly fields: readonly DescField[];
  readonly read: TextReader;
}
