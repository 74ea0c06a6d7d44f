import { connect } from "@lancedb/lancedb";
import { Schema } from "apache-arrow";
import type { Encoder } from "../../../src/embedding/static/static-encoder.ts";
import { normalise } from "../../../src/inventory/facts/normalise.ts";
import type { SourceRecord } from "../../../src/inventory/facts/record.ts";
import { searchableText } from "../../../src/inventory/facts/search-text.ts";
import { modelColumns, stateColumns } from "../../../src/inventory/table/rows.ts";
import { inventorySchema } from "../../../src/inventory/table/schema.ts";

/** Columns that the first version did not have. */
const later = new Set(
  Object.keys(
    stateColumns({ facts: [], digest: "", change: 1, factsChange: 1, addedChange: 1, initial: true, past: [] }),
  ),
);

/**
 * Writes a table in the format of the first version of the inventory: named after its encoder, without the facts of
 * sources and the numbers of writes, and without a list of tables.
 */
export async function writeFirstVersion(
  folder: string,
  encoder: Encoder,
  records: readonly SourceRecord[],
  { source = "import", seenAt = 1_700_000_000_000 } = {},
): Promise<void> {
  const db = await connect(folder);
  const schema = new Schema(inventorySchema(encoder.dimensions).fields.filter(({ name }) => !later.has(name)));
  const table = await db.createEmptyTable(`models-${encoder.id}`, schema);
  const models = records.map((record) => normalise(record, { source, seenAt }));
  const texts = models.map((model, i) => searchableText(model, records[i]?.card));
  const vectors = await encoder.encode(texts);
  await table.add(
    models.map((model, i) => ({
      ...modelColumns(model, texts[i] as string, vectors[i] as Float32Array),
      vector: Array.from(vectors[i] as Float32Array),
    })),
  );
  table.close();
  db.close();
}
