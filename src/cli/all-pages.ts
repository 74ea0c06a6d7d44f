import type { Page, PageRequest } from "../store/index.ts";

/** Entries read at a time. */
const PAGE_SIZE = 500;

/** The result of `allPages`. */
interface ReadPages<T> {
  items: T[];
  /** Whether there are entries beyond the limit. */
  hasMore: boolean;
}

/** Reads a list of the state database page by page, to its end or until there are `limit` entries. */
export async function allPages<T>(
  read: (page: PageRequest) => Promise<Page<T>>,
  limit = Number.POSITIVE_INFINITY,
): Promise<ReadPages<T>> {
  const items: T[] = [];
  let after: PageRequest["after"];
  do {
    const page = await read({ size: Math.min(PAGE_SIZE, limit - items.length), after });
    items.push(...page.items);
    after = page.next;
  } while (after !== undefined && items.length < limit);
  return { items, hasMore: after !== undefined };
}
