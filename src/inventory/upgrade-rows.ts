import type { Table } from "@lancedb/lancedb";
import type { Encoder } from "../embedding/encoder.ts";
import { digestOf } from "./digest.ts";
import { entryRecord } from "./entry-record.ts";
import type { Model } from "./model.ts";
import { makeRows } from "./remake-rows.ts";
import type { RowState } from "./row-state.ts";
import { tell } from "./told.ts";

/** Rows written at a time. */
const ROWS_AT_ONCE = 4_096;

/** An upgrade of tables that did not keep what their sources told. */
export interface Upgrade {
  /** Of a model that several have, the first's holds. */
  sources: readonly Table[];
  /** An empty table. */
  target: Table;
  encoder: Encoder;
  /** The time that models of the project's own catalogue are marked as seen at, in milliseconds since 1970. */
  catalogueSeenAt?: number;
  onRows?: (count: number) => void;
  signal?: AbortSignal;
}

/** Makes all rows from their entries: what was told is read off the models. For the only writer. */
export async function upgradeRows({
  sources,
  target,
  encoder,
  catalogueSeenAt,
  onRows,
  signal,
}: Upgrade): Promise<void> {
  const taken = new Set<string>();
  let states: RowState[] = [];
  const flush = async () => {
    if (states.length === 0) return;
    await target.add(await makeRows(states, encoder, signal));
    onRows?.(states.length);
    states = [];
  };
  for (const source of sources) {
    for await (const batch of source.query().select(["key", "entry", "text"])) {
      for (const { key, entry, text } of batch) {
        if (taken.has(key)) continue;
        taken.add(key);
        states.push(stateOf(JSON.parse(entry) as Model, text, taken.size, catalogueSeenAt));
      }
      if (states.length >= ROWS_AT_ONCE) await flush();
    }
  }
  await flush();
}

function stateOf(model: Model, text: string, change: number, catalogueSeenAt: number | undefined): RowState {
  const { source, sources } = model;
  const seenAt = sources[0]?.seenAt ?? 0;
  const catalogue = seenAt === catalogueSeenAt ? true : undefined;
  const told = [tell(entryRecord(model, text), { source, seenAt, catalogue })];
  return {
    told,
    digest: digestOf(told),
    change,
    factsChange: change,
    addedChange: change,
    // An upgrade is not news of the models.
    initial: true,
    past: [],
  };
}
