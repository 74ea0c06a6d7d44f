import { createHash } from "node:crypto";
import type { Section } from "../../src/embedding/static/static-file.ts";

/** An id of a data file: `prefix`, then 12 hex digits of the SHA-256 of its sections in their order. */
export function contentId(prefix: string, sections: Readonly<Record<string, Section>>): string {
  const digest = createHash("sha256");
  for (const array of Object.values(sections)) {
    digest.update(array);
  }
  return `${prefix}-${digest.digest("hex").slice(0, 12)}`;
}
