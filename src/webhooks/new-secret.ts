import { randomBytes } from "node:crypto";
import { SECRET_PREFIX } from "./sign-event.ts";

/** The Standard Webhooks specification asks for 24 to 64. */
const SECRET_BYTES = 32;

/** A new secret to sign with, `whsec_…`. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}
