/** One segment of a path template. Literals are stored percent-decoded. */
export type TemplateSegment =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "*" }
  | { readonly kind: "**" };

/** A variable of a path template and the segments that it covers: `start` inclusive, `end` exclusive. */
export interface TemplateVariable {
  /** Dotted path of proto field names, for example `book.name`. */
  readonly fieldPath: string;
  readonly start: number;
  readonly end: number;
  /**
   * Whether the pattern is more than a single `*` or literal. The values of such variables keep their encoded
   * slashes, so that the segments stay distinguishable.
   */
  readonly multiSegment: boolean;
  /** Whether the pattern ends in `**` and takes every remaining segment. */
  readonly openEnded: boolean;
}

/** A parsed path template of google.api.http. */
export interface PathTemplate {
  readonly segments: readonly TemplateSegment[];
  /** In the order of the template. */
  readonly variables: readonly TemplateVariable[];
  /** Percent-decoded, without the colon; empty if the template has no verb. */
  readonly verb: string;
}

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
      fail(`variable ${fieldPath} appears twice`);
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

/** A literal whose escapes are not UTF-8 can only be compared as written, with hex digits in one case. */
function decodeLiteral(text: string): string {
  return percentDecode(text) ?? text.toUpperCase();
}

/**
 * Writes a template in a canonical form that parsePathTemplate() reads back: literals are encoded where they must be,
 * and `{name=*}` becomes `{name}`.
 */
export function formatPathTemplate(template: PathTemplate): string {
  let text = "";
  let position = 0;
  const write = (until: number): void => {
    for (; position < until; position++) {
      text += `/${formatSegment(template.segments[position]!)}`;
    }
  };
  for (const { fieldPath, start, end } of template.variables) {
    write(start);
    const pattern = template.segments.slice(start, end).map(formatSegment).join("/");
    text += pattern === "*" ? `/{${fieldPath}}` : `/{${fieldPath}=${pattern}}`;
    position = end;
  }
  write(template.segments.length);
  return (text || "/") + (template.verb === "" ? "" : `:${encodeLiteral(template.verb)}`);
}

function formatSegment(segment: TemplateSegment): string {
  return segment.kind === "literal" ? encodeLiteral(segment.text) : segment.kind;
}

function encodeLiteral(text: string): string {
  // encodeURIComponent leaves "*" alone, which would read as a wildcard.
  return encodeURIComponent(text).replaceAll("*", "%2A");
}

/**
 * The decoded text of a variable, given the raw segments of a matched path. Undefined if the escapes are malformed or
 * not UTF-8.
 */
export function captureVariable(variable: TemplateVariable, segments: readonly string[]): string | undefined {
  if (!variable.multiSegment) {
    return percentDecode(segments[variable.start] ?? "");
  }
  return percentDecodeSegments(segments.slice(variable.start, variable.openEnded ? undefined : variable.end).join("/"));
}

/** Decodes percent escapes as UTF-8; undefined for a malformed escape and for bytes that are not UTF-8. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes("%")) {
    return text;
  }
  try {
    return decodeURIComponent(text);
  } catch {
    // decodeURIComponent only throws URIError, and the caller reports it.
    return undefined;
  }
}

/**
 * Decodes the value of a variable that spans several segments. Escaped slashes stay escaped. Undefined for what
 * percentDecode() refuses.
 */
export function percentDecodeSegments(text: string): string | undefined {
  if (!text.includes("%")) {
    return text;
  }
  const parts = text.split(/(%2f)/i);
  for (let i = 0; i < parts.length; i += 2) {
    const decoded = percentDecode(parts[i]!);
    if (decoded === undefined) {
      return undefined;
    }
    parts[i] = decoded;
  }
  return parts.join("");
}
