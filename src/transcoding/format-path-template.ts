import type { PathTemplate, TemplateSegment } from "./path-template.ts";

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
