import { createHmac, randomBytes } from "node:crypto";

/** What every secret begins with, by the Standard Webhooks specification. */
export const SECRET_PREFIX = "whsec_";

/** A message as it is signed. */
export interface SignedMessage {
  /** webhook-id. */
  id: string;
  /** webhook-timestamp: seconds since 1970. */
  timestamp: number;
  body: string;
}

/** The header webhook-signature by the Standard Webhooks specification: a signature of each secret. */
export function signEvent({ id, timestamp, body }: SignedMessage, secrets: readonly string[]): string {
  return secrets
    .map((secret) => Buffer.from(secret.slice(SECRET_PREFIX.length), "base64"))
    .map((key) => `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`)
    .join(" ");
}

/** The Standard Webhooks specification asks for 24 to 64. */
const SECRET_BYTES = 32;

/** A new secret to sign with, `whsec_…`. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}
