import type { PagePosition } from "../inventory/read/model-page.ts";

/** A position in a list as an opaque token. It holds for the list of `scope` only. */
export function writePageToken(scope: string, position: PagePosition): string {
  return Buffer.from(JSON.stringify([scope, position.downloads, position.key])).toString("base64url");
}

/** The position that a token tells; undefined when the token is not one of this list's. */
export function readPageToken(scope: string, token: string): PagePosition | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    if (!Array.isArray(value) || value[0] !== scope) return undefined;
    const [, downloads, key] = value;
    if (Number.isSafeInteger(downloads) && downloads >= 0 && typeof key === "string") return { downloads, key };
  } catch {
    // Not one of ours, as any other text.
  }
  return undefined;
}
