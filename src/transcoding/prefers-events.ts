const EVENTS = "text/event-stream";
const LINES: ReadonlySet<string> = new Set(["application/x-ndjson", "application/ndjson", "application/json"]);

/**
 * Whether an Accept header asks for server-sent events: it names them, and no form of JSON with a higher weight.
 */
export function prefersEvents(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes(EVENTS)) {
    return false;
  }
  let events = 0;
  let lines = 0;
  for (const range of accept.toLowerCase().split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    const q = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1);
    if (type === EVENTS) {
      events = q;
    } else if (LINES.has(type)) {
      lines = Math.max(lines, q);
    }
  }
  return events > 0 && events >= lines;
}
