import { type FieldViolation, invalidRequest } from "../../error.ts";
import type { PagePosition } from "../../inventory/index.ts";
import { pageSizeOf, pageSizeViolations } from "../call/page.ts";

/** A position in a list as an opaque token. It holds for the list of `scope` only. */
export function writePageToken(scope: string, position: PagePosition): string {
  return Buffer.from(JSON.stringify([scope, position.downloads, position.key])).toString("base64url");
}

/** The position in a token; undefined if the token is not of this list. */
export function readPageToken(scope: string, token: string): PagePosition | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    if (!Array.isArray(value) || value[0] !== scope) {
      return undefined;
    }
    const [, downloads, key] = value;
    if (Number.isSafeInteger(downloads) && downloads >= 0 && typeof key === "string") {
      return { downloads, key };
    }
  } catch {
    // Not one of ours, as any other text.
  }
  return undefined;
}

/** A request for a page of a list of models. Absent fields are undefined. */
export interface PageFields {
  /** The field that names the list. */
  field: "family" | "task";
  /** Its value. */
  name: string;
  pageSize?: number;
  pageToken?: string;
}

/** A page to be read. */
export interface CheckedPage {
  /** The list; a page token holds for one list only. */
  scope: string;
  size: number;
  /** The page begins after it. */
  after: PagePosition | undefined;
}

/** The page that is asked for. @throws ServiceError INVALID_REQUEST with all violations at once. */
export function pageOf(fields: PageFields): CheckedPage {
  const result = checkPage(fields);
  if ("violations" in result) {
    throw invalidRequest(result.violations);
  }
  return result.page;
}

/** As pageOf, with the violations as a value. */
export function checkPage({
  field,
  name,
  pageSize,
  pageToken,
}: PageFields): { page: CheckedPage } | { violations: FieldViolation[] } {
  const violations: FieldViolation[] = [];
  if (name.trim() === "") {
    violations.push({ field, description: "is required" });
  }
  violations.push(...pageSizeViolations(pageSize));
  const scope = `${field}:${name.toLowerCase()}`;
  const hasToken = pageToken !== undefined && pageToken !== "";
  const after = hasToken ? readPageToken(scope, pageToken) : undefined;
  if (hasToken && after === undefined) {
    violations.push({ field: "page_token", description: "is not a next_page_token of this list" });
  }
  return violations.length > 0 ? { violations } : { page: { scope, size: pageSizeOf(pageSize), after } };
}
