import type { TemplateVariable } from "./path-template.ts";
import { percentDecode } from "./percent-decode.ts";
import { percentDecodeSegments } from "./percent-decode-segments.ts";

/**
 * The decoded text of a variable, given the raw segments of a matched path. Undefined if the escapes are malformed or no UTF-8.
 */
export function captureVariable(variable: TemplateVariable, segments: readonly string[]): string | undefined {
  if (!variable.multiSegment) {
    return percentDecode(segments[variable.start] ?? "");
  }
  return percentDecodeSegments(segments.slice(variable.start, variable.openEnded ? undefined : variable.end).join("/"));
}
