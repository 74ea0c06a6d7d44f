import { type FieldViolation, invalidRequest } from "../../error.ts";
import type { PagePosition } from "../../inventory/index.ts";
import type { PageRequest, RowPosition } from "../../store/index.ts";

/** The number of entries on a page of a list. The API reference has the same figures. */
export const pageLimits = {
  /** The maximum, even if the caller asks for more. */
  size: 500,
  /** If the caller sends no size, or 0. */
  defaultSize: 50,
} as const;

/** A request for a page of a list of rows. */
export interface RowPageFields {
  pageSize?: number;
  pageToken: string;
}

/**
 * The requested page of the list `scope`.
 *
 * @throws ServiceError INVALID_REQUEST with all violations, `others` among them.
 */
export function rowPageOf(
  scope: string,
  { pageSize, pageToken }: RowPageFields,
  others: readonly FieldViolation[] = [],
): PageRequest {
  const violations = [...others, ...pageSizeViolations(pageSize)];
  const after = pageToken === "" ? undefined : readToken(scope, pageToken);
  if (pageToken !== "" && after === undefined) {
    violations.push({ field: "page_token", description: "is not a next_page_token of this list" });
  }
  if (violations.length > 0) {
    throw invalidRequest(violations);
  }
  return { size: pageSizeOf(pageSize), after };
}

/** The violations of a page's size. As AIP-158 says, only a negative size is refused. */
export function pageSizeViolations(pageSize = 0): FieldViolation[] {
  if (pageSize >= 0) {
    return [];
  }
  const description = `is ${pageSize}; must be from 1 to ${pageLimits.size}, or 0 for ${pageLimits.defaultSize}`;
  return [{ field: "page_size", description }];
}

/** The size of a page: the default if the caller sends none or 0, and the maximum if it sends more. */
export function pageSizeOf(pageSize = 0): number {
  return pageSize === 0 ? pageLimits.defaultSize : Math.min(pageSize, pageLimits.size);
}

/** The next_page_token of a list; empty after the last page. */
export function rowPageToken(scope: string, next: RowPosition | undefined): string {
  return next === undefined ? "" : writeToken(scope, next.at, next.id);
}

function readToken(scope: string, token: string): RowPosition | undefined {
  const [at, id] = tokenParts(scope, token) ?? [];
  const isPosition = Number.isSafeInteger(at) && typeof id === "string" && /^\w{1,64}$/.test(id);
  return isPosition ? { at: at as number, id } : undefined;
}

/** A page of a list of models. */
export interface CheckedPage {
  /** The list; a page token holds for one list only. */
  scope: string;
  size: number;
  /** The page begins after it. */
  after: PagePosition | undefined;
}

/** The requested page of the list of models `scope`, or all violations, `others` among them. */
export function checkModelPage(
  scope: string,
  { pageSize, pageToken = "" }: Partial<RowPageFields>,
  others: readonly FieldViolation[] = [],
): { page: CheckedPage } | { violations: FieldViolation[] } {
  const violations = [...others, ...pageSizeViolations(pageSize)];
  const after = pageToken === "" ? undefined : readModelToken(scope, pageToken);
  if (pageToken !== "" && after === undefined) {
    violations.push({ field: "page_token", description: "is not a next_page_token of this list" });
  }
  return violations.length > 0 ? { violations } : { page: { scope, size: pageSizeOf(pageSize), after } };
}

/** The next_page_token of a list of models; empty after the last page. */
export function modelPageToken(scope: string, next: PagePosition | undefined): string {
  return next === undefined ? "" : writeToken(scope, next.value, next.key);
}

function readModelToken(scope: string, token: string): PagePosition | undefined {
  const [value, key] = tokenParts(scope, token) ?? [];
  const isPosition = (value === null || Number.isFinite(value)) && typeof key === "string";
  return isPosition ? { value: value as number | null, key } : undefined;
}

/** A position in the list `scope` as an opaque token. */
function writeToken(scope: string, ...position: unknown[]): string {
  return Buffer.from(JSON.stringify([scope, ...position])).toString("base64url");
}

/** The position in a token, which the caller must check; undefined if the token is not of the list. */
function tokenParts(scope: string, token: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    return Array.isArray(value) && value[0] === scope ? value.slice(1) : undefined;
  } catch {
    // Not a token of this service.
    return undefined;
  }
}
