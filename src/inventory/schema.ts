import { Index } from "@lancedb/lancedb";
import { Bool, Field, FixedSizeList, Float32, Float64, Int32, List, Schema, Utf8 } from "apache-arrow";
import { hardwareClasses } from "../hardware/index.ts";

/** The column that says whether some variant of the model runs well on a hardware class. */
export function fitColumn(hardwareClass: string): string {
  return `fits_${hardwareClass.replaceAll("-", "_")}`;
}

/** The column with the smallest download of a variant that runs well on a hardware class, in 10^9 bytes. */
export function fittingSizeColumn(hardwareClass: string): string {
  return `${fitColumn(hardwareClass)}_size_gb`;
}

const classes = Object.keys(hardwareClasses);
const utf8List = () => new List(new Field("item", new Utf8(), true));

/**
 * The table of models: `entry` is the whole model as JSON, `text` what is searched, `vector` the text encoded, and
 * the rest are the facts that filters and lists need, null where unknown.
 */
export function inventorySchema(dimensions: number): Schema {
  return new Schema([
    new Field("key", new Utf8(), false),
    new Field("family", new Utf8(), false),
    new Field("labels", utf8List(), false),
    new Field("types", utf8List(), false),
    new Field("languages", utf8List(), false),
    new Field("license", new Utf8(), true),
    new Field("license_open", new Bool(), false),
    new Field("license_permissive", new Bool(), false),
    new Field("license_commercial", new Bool(), false),
    new Field("min_size_gb", new Float64(), true),
    new Field("context_length", new Int32(), true),
    new Field("downloads", new Float64(), false),
    ...classes.map((name) => new Field(fitColumn(name), new Bool(), false)),
    ...classes.map((name) => new Field(fittingSizeColumn(name), new Float64(), true)),
    // The base model's key, for a repackaging of it.
    new Field("repackages", new Utf8(), true),
    new Field("entry", new Utf8(), false),
    new Field("text", new Utf8(), false),
    new Field("vector", new FixedSizeList(dimensions, new Field("item", new Float32(), true)), false),
  ]);
}

/** The index of each column that is searched or filtered on. */
export const columnIndexes: ReadonlyArray<readonly [column: string, index: () => Index]> = [
  ["key", () => Index.btree()],
  ["family", () => Index.bitmap()],
  ["labels", () => Index.labelList()],
  ["types", () => Index.labelList()],
  ["languages", () => Index.labelList()],
  ["license", () => Index.bitmap()],
  ["repackages", () => Index.btree()],
  ["min_size_gb", () => Index.btree()],
  ["context_length", () => Index.btree()],
  // Positions are for phrase queries, which needs are not.
  ["text", () => Index.fts({ withPosition: false, stem: true, removeStopWords: true, asciiFolding: true })],
];

/** Below this many rows a scan of all vectors is faster and exact. */
export const VECTOR_INDEX_MIN_ROWS = 50_000;
