import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { keyText } from "../hide-keys.ts";

/**
 * The caller's x-request-id where it is 1 to 128 of [A-Za-z0-9._-], else a new one. It is repeated in answers and logs,
 * so one that has a key in it is replaced too.
 */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers["x-request-id"];
  const isUsable = typeof given === "string" && /^[A-Za-z0-9._-]{1,128}$/.test(given) && !keyText.test(given);
  return isUsable ? given : randomUUID();
}
