import { isUtf8 } from "node:buffer";
import type { JsonValue } from "@bufbuild/protobuf";
import type { JsonValidator } from "../validation/json-validator.ts";
import type { FieldProblem } from "../validation/problems.ts";
import { parseJson } from "./parse-json.ts";

/**
 * Parses and validates a JSON body, which must not be empty. Adds its faults to `problems`; the returned value is then
 * only good for finding further problems.
 */
export function readJsonBody(
  body: Uint8Array,
  validate: JsonValidator,
  problems: FieldProblem[],
): JsonValue | undefined {
  if (!isUtf8(body)) {
    problems.push({ location: "body", field: "", kind: "syntax", expected: "a body in UTF-8" });
    return undefined;
  }
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  try {
    // RFC 8259 allows readers to skip a byte order mark, which some clients on Windows send.
    const parsed = parseJson(text.startsWith("\uFEFF") ? text.slice(1) : text);
    for (const field of parsed.duplicates) {
      problems.push({ location: "body", field, kind: "duplicate" });
    }
    if (parsed.excess !== undefined) {
      problems.push({ location: "body", kind: "value", ...parsed.excess });
    }
    if (parsed.value === undefined) {
      return undefined;
    }
    const { value, problems: found } = validate(parsed.value);
    problems.push(...found);
    return value ?? (found.length > 0 ? (parsed.value as JsonValue) : undefined);
  } catch (error) {
    if (!(error instanceof SyntaxError)) {
      throw error;
    }
    problems.push({ location: "body", field: "", kind: "syntax", expected: `a JSON body (${error.message})` });
    return undefined;
  }
}
