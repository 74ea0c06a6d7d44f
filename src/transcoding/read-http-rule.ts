import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { type HttpRule, httpRuleExtension } from "./google-api.ts";

/**
 * The google.api.http rule of a method (additional bindings are inside it), undefined for a method without one. Works
 * for generated descriptors and for those loaded at run time.
 */
export function readHttpRule(method: DescMethod): HttpRule | undefined {
  return hasOption(method, httpRuleExtension) ? getOption(method, httpRuleExtension) : undefined;
}
