import { Table as ArrowTable, Float32, makeData, type RecordBatch, RecordBatch as Rows, Struct } from "apache-arrow";
import type { Encoder } from "../embedding/encoder.ts";
import { encodeAll } from "./encode-all.ts";
import type { RowMaker } from "./row-maker.ts";
import { inventorySchema } from "./schema.ts";

/** Makes rows for another encoder: all columns are carried over as they are, but for the vector of the text. */
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
        // Column by column in Arrow's own form: taking rows apart into objects would cost more than encoding them.
        const children = schema.fields.map((field) =>
          field === vectorField
            ? makeData({ type: field.type, length: batch.numRows, nullCount: 0, child: values })
            : (batch.getChild(field.name)?.data[0] as (typeof batch.data.children)[number]),
        );
        const type = new Struct(schema.fields);
        made.push(new Rows(schema, makeData({ type, length: batch.numRows, nullCount: 0, children })));
      }
      return new ArrowTable(schema, made);
    },
  };
}

async function vectorsOf(encoder: Encoder, batch: RecordBatch, signal: AbortSignal | undefined) {
  const texts = [...(batch.getChild("text") as Iterable<string>)];
  const vectors = await encodeAll(encoder, texts, signal);
  const data = new Float32Array(vectors.length * encoder.dimensions);
  for (const [i, vector] of vectors.entries()) data.set(vector, i * encoder.dimensions);
  return makeData({ type: new Float32(), length: data.length, nullCount: 0, data });
}
