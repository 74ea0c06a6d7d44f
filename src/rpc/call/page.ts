import { type FieldViolation, invalidRequest } from "../../error.ts";
import type { PageRequest, RowPosition } from "../../store/index.ts";

/** The number of entries on a page of a list. The API reference has the same figures. */
export const pageLimits = {
  /** The most. */
  size: 500,
  /** If the caller sends no size. */
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
  { pageSize = pageLimits.defaultSize, pageToken }: RowPageFields,
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
  return { size: pageSize, after };
}

/** The violations of a page's size. */
export function pageSizeViolations(pageSize: number = pageLimits.defaultSize): FieldViolation[] {
  if (Number.isInteger(pageSize) && pageSize >= 1 && pageSize <= pageLimits.size) {
    return [];
  }
  const description = `is ${pageSize}; must be a whole number from 1 to ${pageLimits.size}`;
  return [{ field: "page_size", description }];
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
