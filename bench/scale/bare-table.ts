import { join } from "node:path";
import { connect, MatchQuery } from "@lancedb/lancedb";
import { loadStaticEncoder } from "../../src/embedding/static/static-encoder.ts";
import { allOf, conditionsOf } from "../../src/inventory/table/filter.ts";
import { Generations } from "../../src/inventory/table/generations.ts";
import type { Need } from "../../src/recommend/need.ts";

/** The limit of each search of the product. */
const LIMIT = 60;

/** The plain LanceDB queries of a need, which a program would send that recommends by the database alone. */
export interface BareTable {
  /** Returns the names of models that share words with the need, with its filter. */
  fullText(need: Need): Promise<string[]>;
  /** Returns the names of the models nearest to the need, with its filter. `exact` scans all vectors. */
  vector(need: Need, options?: { exact?: boolean }): Promise<string[]>;
  close(): void;
}

/** Opens the table of models in a home, with LanceDB alone. */
export async function openBareTable(home: string): Promise<BareTable> {
  const db = await connect(join(home, "inventory"));
  const serving = (await new Generations(db).list()).find(({ state }) => state === "serving");
  if (serving === undefined) {
    throw new Error(`there is no inventory in ${home}`);
  }
  const table = await db.openTable(serving.table);
  const encoder = loadStaticEncoder();
  return {
    async fullText({ description, filter }) {
      const query = table.query().fullTextSearch(new MatchQuery(description, "text"));
      const condition = allOf(conditionsOf(filter));
      const filtered = condition === undefined ? query : query.where(condition);
      return keys(await filtered.limit(LIMIT).select(["key", "_score"]).toArray());
    },
    async vector({ description, filter }, { exact = false } = {}) {
      const query = table.query().nearestTo(encoder.encodeOne(description)).distanceType("dot");
      const condition = allOf(conditionsOf(filter));
      const filtered = condition === undefined ? query : query.where(condition);
      const chosen = exact ? filtered.bypassVectorIndex() : filtered;
      return keys(await chosen.limit(LIMIT).select(["key", "_distance"]).toArray());
    },
    close() {
      table.close();
      db.close();
    },
  };
}

function keys(rows: Array<{ key: string }>): string[] {
  return rows.map(({ key }) => key);
}
