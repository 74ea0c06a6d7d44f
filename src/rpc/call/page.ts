import { type FieldViolation, invalidRequest } from "../../error.ts";
import type { PageRequest, RowPosition } from "../../store/index.ts";

/** The number of entries on a page of a list. The API reference has the same figures. */
export const pageLimits = {
  /** The most, also if the caller asks for more. */
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

/** The violations of a page's size: as AIP-158 says, only a negative one is refused. */
export function pageSizeViolations(pageSize = 0): FieldViolation[] {
  if (pageSize >= 0) {
    return [];
  }
  const description = `is ${pageSize}; must be from 1 to ${pageLimits.size}, or 0 for ${pageLimits.defaultSize}`;
  return [{ field: "page_size", description }];
}

/** The size of a page: the default if the caller sends none or 0, and the most if it sends more. */
export function pageSizeOf(pageSize = 0): number {
  return pageSize === 0 ? pageLimits.defaultSize : Math.min(pageSize, pageLimits.size);
}

/** The next_page_token of a list; empty after the last page. */
export function rowPageToken(scope: string, next: RowPosition | undefined): string {
  return next === undefined ? "" : Buffer.from(JSON.stringify([scope, next.at, next.id])).toString("base64url");
}

function readToken(scope: string, token: string): RowPosition | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    if (!Array.isArray(value)) {
      return undefined;
    }
    const [of, at, id] = value as unknown[];
    const isPosition = Number.isSafeInteger(at) && typeof id === "string" && /^\w{1,64}$/.test(id);
    return of === scope && isPosition ? { at: at as number, id } : undefined;
  } catch {
    // Not a token of this service.
    return undefined;
  }
}
