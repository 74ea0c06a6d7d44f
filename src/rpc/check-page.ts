import type { FieldViolation } from "../error.ts";

/** Models on a page where the caller does not say how many. */
export const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 500;

/** What is wrong with the size of a page. `nameOf` gives the caller's name of a field. */
export function checkPage(
  pageSize: number | undefined,
  nameOf: (field: string) => string = (field) => field,
): FieldViolation[] {
  if (pageSize === undefined || (pageSize >= 1 && pageSize <= MAX_PAGE_SIZE)) return [];
  return [
    { field: nameOf("page_size"), description: `is ${pageSize}; must be a whole number from 1 to ${MAX_PAGE_SIZE}` },
  ];
}
