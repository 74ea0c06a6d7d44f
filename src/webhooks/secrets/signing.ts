import { createHmac, randomBytes } from "node:crypto";

/** The prefix of every secret (Standard Webhooks specification). */
export const SECRET_PREFIX = "whsec_";

/** The signed parts of a message. */
export interface SignedMessage {
  /** webhook-id. */
  id: string;
  /** webhook-timestamp: seconds since 1970. */
  timestamp: number;
  body: string;
}

/** The header webhook-signature (Standard Webhooks specification): a signature for each secret. */
export function signEvent({ id, timestamp, body }: SignedMessage, secrets: readonly string[]): string {
  return secrets
    .map((secret) => Buffer.from(secret.slice(SECRET_PREFIX.length), "base64"))
    .map((key) => `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`)
    .join(" ");
}

/** The Standard Webhooks specification requires 24 to 64. */
const SECRET_BYTES = 32;

/** A new signing secret, `whsec_…`. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}
