import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescOneof,
  getOption,
  hasOption,
} from "@bufbuild/protobuf";
import { type HttpRule, httpRuleExtension } from "../google-api.ts";
import { elementType, type TextReader, textReader } from "../values/readers.ts";
import { type PathTemplate, parsePathTemplate, type TemplateVariable } from "./path-template.ts";

/** One way to call a method over HTTP: a google.api.http rule, resolved against the descriptors. */
export interface Binding {
  readonly method: DescMethod;
  /** In capitals, or `*` for any. */
  readonly httpMethod: string;
  readonly template: PathTemplate;
  readonly variables: readonly BoundVariable[];
  /** What the request body holds: nothing, the whole message, or one of its fields. */
  readonly body: "none" | "message" | DescField;
  /** The field that the response body holds. Undefined: the whole message. */
  readonly responseField: DescField | undefined;
}

/** A path variable and the field that it sets. */
export interface BoundVariable extends TemplateVariable {
  /** From the request message down. */
  readonly fields: readonly DescField[];
  readonly read: TextReader;
}

/** Options of compileBindings(). */
export interface CompileBindingsOptions {
  /** Whether DELETE may have a body. */
  readonly allowDeleteBody: boolean;
  /** Whether path variables refuse "NaN" and the infinities. */
  readonly finiteNumbersOnly: boolean;
}

/** RFC 9110 token. */
const METHOD = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * Resolves a rule and its additional bindings. Throws an Error that names the RPC if a rule cannot be bound, because
 * every request to it would fail or lose data.
 */
export function compileBindings(method: DescMethod, rule: HttpRule, options: CompileBindingsOptions): Binding[] {
  try {
    return [rule, ...rule.additionalBindings].map((each) => {
      if (each !== rule && each.additionalBindings.length > 0) {
        throw new Error("additional_bindings inside additional_bindings");
      }
      return compileRule(method, each, options);
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot bind ${method.parent.typeName}.${method.name} to HTTP: ${reason}`, { cause: error });
  }
}

function compileRule(method: DescMethod, rule: HttpRule, options: CompileBindingsOptions): Binding {
  const { httpMethod, path } = readPattern(rule);
  const template = parsePathTemplate(path);
  const variables = template.variables.map((variable) => bindVariable(method.input, variable, options));
  refuseSharedOneofs(variables);
  const body = bindBody(method.input, rule.body);
  if (body !== "none" && (httpMethod === "GET" || httpMethod === "HEAD")) {
    throw new Error(`${httpMethod} with a body`);
  }
  if (body !== "none" && httpMethod === "DELETE" && !options.allowDeleteBody) {
    throw new Error("DELETE with a body (see the option allowDeleteBody)");
  }
  if (body === "none" && (method.methodKind === "client_streaming" || method.methodKind === "bidi_streaming")) {
    throw new Error("a client stream needs a body");
  }
  // Both mean the whole message.
  const wholeResponse = rule.responseBody === "" || rule.responseBody === "*";
  const responseField = wholeResponse ? undefined : topLevelField(method.output, rule.responseBody, "response_body");
  return { method, httpMethod, template, variables, body, responseField };
}

function readPattern({ pattern }: HttpRule): { httpMethod: string; path: string } {
  if (pattern.case === undefined) {
    throw new Error("the rule has no path");
  }
  if (pattern.case !== "custom") {
    return { httpMethod: pattern.case.toUpperCase(), path: pattern.value };
  }
  if (!METHOD.test(pattern.value.kind)) {
    throw new Error(`custom method "${pattern.value.kind}" is not an HTTP method`);
  }
  return { httpMethod: pattern.value.kind, path: pattern.value.path };
}

function bindVariable(
  message: DescMessage,
  variable: TemplateVariable,
  options: CompileBindingsOptions,
): BoundVariable {
  if (textReader(message, false) !== undefined) {
    throw new Error(`path variable ${variable.fieldPath}: ${message.typeName} has no fields to set`);
  }
  const fields: DescField[] = [];
  let parent: DescMessage | undefined = message;
  for (const name of variable.fieldPath.split(".")) {
    if (parent === undefined || hasTextForm(fields.at(-1))) {
      throw new Error(`path variable ${variable.fieldPath}: ${fields.at(-1)?.name} has no fields to set`);
    }
    const field: DescField | undefined = parent.fields.find((each) => each.name === name);
    if (field === undefined) {
      throw new Error(`path variable ${variable.fieldPath}: ${parent.typeName} has no field ${name}`);
    }
    if (field.fieldKind === "list" || field.fieldKind === "map") {
      throw new Error(`path variable ${variable.fieldPath}: ${name} is a ${field.fieldKind}`);
    }
    fields.push(field);
    parent = field.message;
  }
  const field = fields.at(-1)!;
  const read = hasJsonText(field) ? undefined : textReader(elementType(field), options.finiteNumbersOnly);
  if (read === undefined) {
    throw new Error(`path variable ${variable.fieldPath}: ${field.message?.typeName} has no text form`);
  }
  return { ...variable, fields, read };
}

/** Whether the field is a message whose ProtoJSON form is a single value, so that no field inside it can be set. */
function hasTextForm(field: DescField | undefined): boolean {
  return field?.message !== undefined && textReader(elementType(field), false) !== undefined;
}

/** Query parameters may carry JSON text, a path should not. */
function hasJsonText(field: DescField): boolean {
  return /^google\.protobuf\.(Struct|Value|ListValue)$/.test(field.message?.typeName ?? "");
}

function refuseSharedOneofs(variables: readonly BoundVariable[]): void {
  const seen = new Map<string, BoundVariable>();
  for (const variable of variables) {
    const oneof: DescOneof | undefined = variable.fields.at(-1)?.oneof;
    if (oneof !== undefined) {
      const key = [...variable.fieldPath.split(".").slice(0, -1), oneof.name].join(".");
      const other = seen.get(key);
      if (other !== undefined) {
        throw new Error(`path variables ${other.fieldPath} and ${variable.fieldPath} belong to one oneof`);
      }
      seen.set(key, variable);
    }
  }
}

function bindBody(message: DescMessage, body: string): Binding["body"] {
  if (body === "") {
    return "none";
  }
  return body === "*" ? "message" : topLevelField(message, body, "body");
}

function topLevelField(message: DescMessage, name: string, option: string): DescField {
  const field = message.fields.find((each) => each.name === name);
  if (field === undefined) {
    throw new Error(`${option}: ${message.typeName} has no field ${name}`);
  }
  return field;
}

/**
 * The google.api.http rule of a method, with its additional bindings inside. Undefined for a method without one. Works
 * for generated descriptors and for those loaded at run time.
 */
export function readHttpRule(method: DescMethod): HttpRule | undefined {
  return hasOption(method, httpRuleExtension) ? getOption(method, httpRuleExtension) : undefined;
}
