import type { PathTemplate, TemplateSegment, TemplateVariable } from "./path-template.ts";
import { percentDecode } from "./percent-decode.ts";

// RFC 3986 pchar without ":" (it starts the verb) and "*" (it is a wildcard), or a percent escape.
const LITERAL = /(?:[A-Za-z0-9\-._~!$&'()+,;=@]|%[0-9A-Fa-f]{2})+/y;
const FIELD_PATH = /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*/y;

/**
 * Parses a path template after the grammar in google/api/http.proto, plus "/" alone for the root:
 *
 *     Template = "/" [ Segments [ ":" LITERAL ] ]
 *     Segments = Segment { "/" Segment }
 *     Segment  = "*" | "**" | LITERAL | "{" FieldPath [ "=" Segments ] "}"
 *
 * `**` only as the last segment, no variable inside a variable, no variable twice. Throws an Error that says what is
 * wrong and where.
 */
export function parsePathTemplate(template: string): PathTemplate {
  const segments: TemplateSegment[] = [];
  const variables: TemplateVariable[] = [];
  let position = 0;

  const fail = (problem: string): never => {
    throw new Error(`path template "${template}": ${problem} at position ${position}`);
  };
  const accept = (token: string): boolean => {
    const found = template.startsWith(token, position);
    if (found) {
      position += token.length;
    }
    return found;
  };
  const scan = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position;
    const text = pattern.exec(template)?.[0];
    position += text?.length ?? 0;
    return text;
  };
  const parseSegment = (insideVariable: boolean): void => {
    if (segments.at(-1)?.kind === "**") {
      fail("nothing may follow **");
    }
    if (accept("**")) {
      segments.push({ kind: "**" });
    } else if (accept("*")) {
      segments.push({ kind: "*" });
    } else if (accept("{")) {
      if (insideVariable) {
        fail("a variable inside a variable");
      }
      parseVariable();
    } else {
      segments.push({ kind: "literal", text: decodeLiteral(scan(LITERAL) ?? fail("a segment is missing")) });
    }
  };
  const parseVariable = (): void => {
    const fieldPath = scan(FIELD_PATH) ?? fail("a field path is missing");
    if (variables.some((variable) => variable.fieldPath === fieldPath)) {
      fail(`variable ${fieldPath} stands twice`);
    }
    const start = segments.length;
    if (accept("=")) {
      do {
        parseSegment(true);
      } while (accept("/"));
    } else if (segments.at(-1)?.kind === "**") {
      fail("nothing may follow **");
    } else {
      segments.push({ kind: "*" });
    }
    if (!accept("}")) {
      fail("} is missing");
    }
    const end = segments.length;
    const openEnded = segments[end - 1]?.kind === "**";
    variables.push({ fieldPath, start, end, multiSegment: openEnded || end - start > 1, openEnded });
  };

  if (!accept("/")) {
    fail("a template starts with /, which is missing");
  }
  let verb = "";
  if (position < template.length) {
    do {
      parseSegment(false);
    } while (accept("/"));
    if (accept(":")) {
      verb = decodeLiteral(scan(LITERAL) ?? fail("the verb is missing"));
    }
    if (position < template.length) {
      fail("unexpected text");
    }
  }
  return { segments, variables, verb };
}

/** A literal whose escapes are no UTF-8 can only be compared as it is written, with one case of hex digits. */
function decodeLiteral(text: string): string {
  return percentDecode(text) ?? text.toUpperCase();
}
