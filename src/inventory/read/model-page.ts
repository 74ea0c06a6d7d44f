import { type Model, type Variant, withoutReplaced } from "../facts/model.ts";
import { quote } from "../table/filter.ts";
import type { RowId } from "./model-cache.ts";
import type { ReadableTable } from "./table-view.ts";

/** What lists of models can be ordered by: a column, or the name. */
export const listColumns = ["downloads", "released_at", "updated_at", "parameters", "size_gb", "name"] as const;

/** The order of a list. Models where the fact is unknown come last, and equal ones are ordered by key. */
export interface ListOrder {
  by: (typeof listColumns)[number];
  isDescending: boolean;
}

export const mostDownloadedFirst: ListOrder = { by: "downloads", isDescending: true };

/** A page of a list of models. */
export interface ModelPage {
  /** Models in the whole list. */
  total: number;
  models: Model[];
  /** The position of the next page; undefined on the last one. */
  next?: PagePosition;
}

/** The last model of a page. The next page begins after it. */
export interface PagePosition {
  /** The fact that the list is ordered by; null if it is unknown, and in lists by name. */
  value: number | null;
  key: string;
}

/** A page of a list as the rows of its models. */
export interface RowPage extends Omit<ModelPage, "models"> {
  rows: RowId[];
}

/** A row in a list. */
interface Listed extends PagePosition {
  _rowid: RowId;
}

/** The models of a list, and their order. */
interface List {
  table: ReadableTable;
  condition: string;
  order: ListOrder;
}

/** A list of up to this many models is sorted as a whole. */
const SHORT_LIST = 1_000;
/** Models with more than 2 to the power of this many downloads are so few that they are counted together. */
const MOST_DOUBLINGS = 32;

/** A page of the models that meet a condition, in an order; undefined when none does. */
export async function readRowPage(
  table: ReadableTable,
  condition: string,
  order: ListOrder,
  limit: number,
  after?: PagePosition,
): Promise<RowPage | undefined> {
  const total = await table.countRows(condition);
  if (total === 0) {
    return undefined;
  }
  // One more shows whether there is a next page.
  const wanted = limit + 1;
  const list = { table, condition, order };
  const isLong = total > SHORT_LIST && order.by === "downloads" && order.isDescending;
  const listed = await (isLong
    ? readMostDownloaded(list, wanted, after)
    : read(list, afterPosition(order, after), wanted));
  const page = listed.slice(0, limit);
  const last = page.at(-1);
  return {
    total,
    rows: page.map((row) => row._rowid),
    next: listed.length > limit && last !== undefined ? { value: last.value, key: last.key } : undefined,
  };
}

/** The condition for the models after a position; undefined for the beginning of the list. */
function afterPosition({ by, isDescending }: ListOrder, after: PagePosition | undefined): string | undefined {
  if (after === undefined) {
    return undefined;
  }
  const { value, key } = after;
  const beyond = isDescending ? "<" : ">";
  if (by === "name") {
    return `key ${beyond} ${quote(key)}`;
  }
  const later = `key > ${quote(key)}`;
  return value === null
    ? `${by} IS NULL AND ${later}`
    : `(${by} ${beyond} ${value} OR (${by} = ${value} AND ${later}) OR ${by} IS NULL)`;
}

/**
 * A page of a long list, most downloaded first. It reads only about as many rows as the page has: by counting, which
 * needs only the indexes, it finds a number of downloads that enough models reach.
 */
async function readMostDownloaded(list: List, wanted: number, after: PagePosition | undefined): Promise<Listed[]> {
  const downloads = after && (after.value ?? 0);
  const listed =
    after === undefined ? [] : await read(list, `downloads = ${downloads} AND key > ${quote(after.key)}`, wanted);
  if (listed.length < wanted) {
    const below = downloads === undefined ? undefined : `downloads < ${downloads}`;
    const from = await lowestNeeded(list, below, wanted - listed.length);
    const conditions = [below, from > 0 ? `downloads >= ${from}` : undefined].filter((part) => part !== undefined);
    const part = conditions.length > 0 ? conditions.join(" AND ") : undefined;
    listed.push(...(await read(list, part, wanted - listed.length)));
  }
  return listed;
}

/** The greatest power of two that enough models reach in downloads; 0 if it takes all models. */
async function lowestNeeded({ table, condition }: List, below: string | undefined, count: number): Promise<number> {
  let enough = -1;
  let tooFew = MOST_DOUBLINGS;
  while (tooFew - enough > 1) {
    const middle = (enough + tooFew) >> 1;
    const conditions = [condition, below, `downloads >= ${2 ** middle}`].filter((part) => part !== undefined);
    if ((await table.countRows(conditions.join(" AND "))) >= count) {
      enough = middle;
    } else {
      tooFew = middle;
    }
  }
  return enough < 0 ? 0 : 2 ** enough;
}

async function read({ table, condition, order }: List, part: string | undefined, limit: number): Promise<Listed[]> {
  const { by, isDescending } = order;
  const column = by === "name" ? "key" : by;
  const byKey = { columnName: "key", ascending: true };
  const byFact = { columnName: column, ascending: !isDescending, nullsFirst: false };
  const rows = await table
    .query()
    .where(part === undefined ? condition : `${condition} AND ${part}`)
    .orderBy(by === "name" ? byFact : [byFact, byKey])
    .limit(limit)
    .select(["_rowid", ...new Set(["key", column])])
    .toArray();
  return rows.map((row) => ({ _rowid: row._rowid, key: row.key, value: by === "name" ? null : row[column] }));
}

/** A model with the variants of its repackagings added, each with the repository it is in; largest first. */
export function withRepackagings(model: Model, repackagings: readonly Model[]): Model {
  const added = repackagings.flatMap((other) =>
    other.variants.map((variant): Variant => ({ repository: other.name, ...variant })),
  );
  const variants = new Map<string, Variant>();
  for (const variant of [...model.variants, ...added]) {
    const { quantization, format, repository = model.name } = variant;
    const id = [quantization, format, repository].join("\n").toLowerCase();
    if (!variants.has(id)) {
      variants.set(id, variant);
    }
  }
  const known = withoutReplaced([...variants.values()]);
  return { ...model, repackagings, variants: known.sort((a, b) => (b.sizeGb ?? 0) - (a.sizeGb ?? 0)) };
}

/**
 * A model with one variant of each quantization: the model's own, else the first. Copies of one quantization by several
 * publishers are of about the same size and run alike.
 */
export function withDistinctQuantizations(model: Model): Model {
  const variants = new Map<string, Variant>();
  // A variant without a repository is in the model's own.
  const ownFirst = [...model.variants].sort(
    (a, b) => Number(a.repository !== undefined) - Number(b.repository !== undefined),
  );
  for (const variant of ownFirst) {
    const id = variant.quantization.toLowerCase();
    if (!variants.has(id)) {
      variants.set(id, variant);
    }
  }
  return {
    ...model,
    variants: model.variants.filter((variant) => variants.get(variant.quantization.toLowerCase()) === variant),
  };
}
