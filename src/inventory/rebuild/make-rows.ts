import type { Table as ArrowTable, RecordBatch } from "apache-arrow";
import type { Encoder } from "../../embedding/index.ts";
import { createYieldToEventLoop } from "../../pace/index.ts";
import { digestOf, mergeFacts } from "../facts/merge.ts";
import type { PastFacts, RowState, SourceFacts } from "../facts/source-facts.ts";
import { Float32, makeData, RecordBatch as Rows, Struct, Table } from "../table/arrow.ts";
import { rowsTable } from "../table/arrow-rows.ts";
import { modelRow } from "../table/rows.ts";
import { inventorySchema } from "../table/schema.ts";

/** Makes the rows of a new table from those of an old one. */
export interface RowMaker {
  /** The columns of the old table that it needs. */
  readonly columns: readonly string[];
  /** @throws the reason of `signal` when it is aborted. */
  make(batches: readonly RecordBatch[], signal?: AbortSignal): Promise<ArrowTable>;
}

/** Texts encoded at a time. Larger batches of a transformers.js model are not faster. */
const TEXTS_AT_ONCE = 64;

/** Encodes many texts, and yields so that a server can answer. @throws the reason of `signal` when it is aborted. */
export async function encodeAll(
  encoder: Encoder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  const yieldToEventLoop = createYieldToEventLoop();
  for (let from = 0; from < texts.length; from += TEXTS_AT_ONCE) {
    vectors.push(...(await encoder.encode(texts.slice(from, from + TEXTS_AT_ONCE))));
    signal?.throwIfAborted();
    await yieldToEventLoop();
  }
  return vectors;
}

/** Makes rows from the facts of the sources, which it normalises, merges and encodes by the program's present rules. */
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
  const facts = JSON.parse(records) as SourceFacts[];
  return {
    facts,
    digest: digestOf(facts),
    change,
    factsChange: facts_change,
    addedChange: added_change,
    initial,
    past: past === null ? [] : (JSON.parse(past) as PastFacts[]),
  };
}

/**
 * Makes the rows of models from the facts of their sources, and yields so that a server can answer.
 *
 * @throws the reason of `signal` when it is aborted.
 */
export async function makeRows(
  states: readonly RowState[],
  encoder: Encoder,
  signal?: AbortSignal,
): Promise<ArrowTable> {
  const yieldToEventLoop = createYieldToEventLoop();
  const merged = [];
  for (const { facts } of states) {
    merged.push(mergeFacts(facts));
    await yieldToEventLoop();
  }
  signal?.throwIfAborted();
  const texts = merged.map(({ text }) => text);
  const vectors = await encodeAll(encoder, texts, signal);
  const rows = [];
  for (const [i, { model, text }] of merged.entries()) {
    rows.push(modelRow(model, text, vectors[i] as Float32Array, states[i] as RowState));
    await yieldToEventLoop();
  }
  return rowsTable(rows, encoder.dimensions);
}

/** Makes rows for another encoder: copies all columns except the vector of the text. */
export function carryRows(encoder: Encoder): RowMaker {
  const schema = inventorySchema(encoder.dimensions);
  const columns = schema.fields.map(({ name }) => name).filter((name) => name !== "vector");
  const vectorField = schema.fields.find(({ name }) => name === "vector");
  return {
    columns,
    async make(batches, signal) {
      const made: RecordBatch[] = [];
      for (const batch of batches) {
        const values = await vectorsOf(encoder, batch, signal);
        // Column by column in Arrow's format: converting rows to objects would cost more than encoding them.
        const children = schema.fields.map((field) =>
          field === vectorField
            ? makeData({ type: field.type, length: batch.numRows, nullCount: 0, child: values })
            : (batch.getChild(field.name)?.data[0] as (typeof batch.data.children)[number]),
        );
        const type = new Struct(schema.fields);
        made.push(new Rows(schema, makeData({ type, length: batch.numRows, nullCount: 0, children })));
      }
      return new Table(schema, made);
    },
  };
}

async function vectorsOf(encoder: Encoder, batch: RecordBatch, signal: AbortSignal | undefined) {
  const texts = [...(batch.getChild("text") as Iterable<string>)];
  const vectors = await encodeAll(encoder, texts, signal);
  const data = new Float32Array(vectors.length * encoder.dimensions);
  for (const [i, vector] of vectors.entries()) {
    data.set(vector, i * encoder.dimensions);
  }
  return makeData({ type: new Float32(), length: data.length, nullCount: 0, data });
}
