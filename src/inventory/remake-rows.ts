import type { Table as ArrowTable } from "apache-arrow";
import type { Encoder } from "../embedding/encoder.ts";
import { digestOf } from "./digest.ts";
import { encodeAll } from "./encode-all.ts";
import { mergeTold } from "./merge-told.ts";
import { modelRow } from "./row.ts";
import type { RowMaker } from "./row-maker.ts";
import type { PastFacts, RowState, Told } from "./row-state.ts";
import { rowsTable } from "./rows-table.ts";
import { takingTurns } from "./turns.ts";

/** Makes rows anew from what the sources told: normalised, written and encoded as the program does it now. */
export function remakeRows(encoder: Encoder): RowMaker {
  return {
    columns: ["records", "change", "facts_change", "added_change", "initial", "past"],
    async make(batches, signal) {
      const kept = batches.flatMap((batch) => batch.toArray().map((row) => row.toJSON() as unknown as KeptColumns));
      return makeRows(kept.map(stateOf), encoder, signal);
    },
  };
}

interface KeptColumns {
  records: string;
  change: number;
  facts_change: number;
  added_change: number;
  initial: boolean;
  past: string | null;
}

function stateOf({ records, change, facts_change, added_change, initial, past }: KeptColumns): RowState {
  const told = JSON.parse(records) as Told[];
  return {
    told,
    digest: digestOf(told),
    change,
    factsChange: facts_change,
    addedChange: added_change,
    initial,
    past: past === null ? [] : (JSON.parse(past) as PastFacts[]),
  };
}

/**
 * The rows of models, made of what the sources told of them, while a server goes on answering.
 *
 * @throws what `signal` is aborted with.
 */
export async function makeRows(
  states: readonly RowState[],
  encoder: Encoder,
  signal?: AbortSignal,
): Promise<ArrowTable> {
  const turn = takingTurns();
  const merged = [];
  for (const { told } of states) {
    merged.push(mergeTold(told));
    await turn();
  }
  signal?.throwIfAborted();
  const texts = merged.map(({ text }) => text);
  const vectors = await encodeAll(encoder, texts, signal);
  const rows = [];
  for (const [i, { model, text }] of merged.entries()) {
    rows.push(modelRow(model, text, vectors[i] as Float32Array, states[i] as RowState));
    await turn();
  }
  return rowsTable(rows, encoder.dimensions);
}
