import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** The caller's x-request-id where it is 1 to 128 of [A-Za-z0-9._-], else a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID();
}
