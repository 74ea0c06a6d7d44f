import { Index } from "@lancedb/lancedb";
import type { Schema as ArrowSchema } from "apache-arrow";
import { type DeviceGroup, deviceGroups, hardwareClasses } from "../../hardware/index.ts";
import { Bool, Field, FixedSizeList, Float32, Float64, Int32, List, Schema, Utf8 } from "./arrow.ts";

/** The column that says whether some variant of the model runs well on a hardware class. */
export function fitColumn(hardwareClass: string): string {
  return `fits_${hardwareClass.replaceAll("-", "_")}`;
}

/** The column with the smallest download of a variant that runs well on a hardware class, in 10^9 bytes. */
export function fittingSizeColumn(hardwareClass: string): string {
  return `${fitColumn(hardwareClass)}_size_gb`;
}

/** The column with the least memory that a variant of the model needs on one device of a group, in 10^9 bytes. */
export function memoryColumn(group: DeviceGroup): string {
  return `memory_${group.replaceAll("-", "_")}_gb`;
}

/**
 * Version of the table: raised whenever its columns change or are made in another way, so that the inventory is rebuilt
 * when it is opened (see rebuild.ts). 1 had no `records`, 2 no evaluations, 3 no columns that only order lists, 4 no
 * capabilities and no `ungated`, 5 no memory of groups of devices.
 */
export const INVENTORY_SCHEMA = 6;

const classes = Object.keys(hardwareClasses);
const utf8List = () => new List(new Field("item", new Utf8(), true));

/**
 * The table of models: `entry` is the whole model as JSON, `text` the searched text, `vector` its vector. The other
 * columns are facts that filters and lists need, null if unknown.
 */
export function inventorySchema(dimensions: number): ArrowSchema {
  return new Schema([
    new Field("key", new Utf8(), false),
    new Field("family", new Utf8(), false),
    new Field("labels", utf8List(), false),
    new Field("types", utf8List(), false),
    new Field("languages", utf8List(), false),
    new Field("capabilities", utf8List(), false),
    // Whether no source says that the model is behind a consent form.
    new Field("ungated", new Bool(), false),
    new Field("license", new Utf8(), true),
    new Field("license_open", new Bool(), false),
    new Field("license_permissive", new Bool(), false),
    new Field("license_commercial", new Bool(), false),
    new Field("min_size_gb", new Float64(), true),
    new Field("context_length", new Int32(), true),
    new Field("downloads", new Float64(), false),
    new Field("parameters", new Float64(), true),
    // Lists are ordered by these.
    new Field("size_gb", new Float64(), true),
    new Field("updated_at", new Float64(), true),
    new Field("released_at", new Float64(), true),
    ...classes.map((name) => new Field(fitColumn(name), new Bool(), false)),
    ...classes.map((name) => new Field(fittingSizeColumn(name), new Float64(), true)),
    ...deviceGroups.map((group) => new Field(memoryColumn(group), new Float64(), true)),
    // The base model's key, for a repackaging of it.
    new Field("repackages", new Utf8(), true),
    // The state of the row (see source-facts.ts).
    new Field("sources", utf8List(), false),
    new Field("records", new Utf8(), false),
    new Field("digest", new Utf8(), false),
    new Field("change", new Float64(), false),
    new Field("facts_change", new Float64(), false),
    new Field("added_change", new Float64(), false),
    new Field("initial", new Bool(), false),
    new Field("past", new Utf8(), true),
    new Field("vanished_at", new Float64(), true),
    new Field("entry", new Utf8(), false),
    new Field("text", new Utf8(), false),
    new Field("vector", new FixedSizeList(dimensions, new Field("item", new Float32(), true)), false),
  ]);
}

/** The least rows for indexes: a scan of a smaller table is as fast, and exact (see docs/scale.md). */
export const INDEX_MIN_ROWS = 5_000;

/** A column and the function that makes its index, given the length of vectors. */
export type ColumnIndex = readonly [column: string, index: (dimensions: number) => Index];

/** Without positions, which only phrase queries need. */
const textIndex = () => Index.fts({ withPosition: false, stem: true, removeStopWords: true, asciiFolding: true });

/**
 * The index of the vectors. With four bits a dimension the ten vectors that it finds are nearly always the nearest ten,
 * and it is a sixth of the vectors' size (see docs/scale.md). The number of dimensions must be a multiple of eight;
 * vectors of other lengths are stored without compression.
 */
export function vectorIndex(dimensions: number): Index {
  return dimensions % 8 === 0
    ? Index.ivfRq({ distanceType: "dot", numBits: 4 })
    : Index.ivfFlat({ distanceType: "dot" });
}

const allIndexes: readonly ColumnIndex[] = [
  ["text", textIndex],
  ["vector", vectorIndex],
  ["key", Index.btree],
  ["family", Index.bitmap],
  ["labels", Index.labelList],
  ["types", Index.labelList],
  ["languages", Index.labelList],
  ["capabilities", Index.labelList],
  ["ungated", Index.bitmap],
  ["license", Index.bitmap],
  ["license_open", Index.bitmap],
  ["license_permissive", Index.bitmap],
  ["license_commercial", Index.bitmap],
  ["min_size_gb", Index.btree],
  ["context_length", Index.btree],
  ["downloads", Index.btree],
  ["parameters", Index.btree],
  ...classes.map((name) => [fitColumn(name), Index.bitmap] as const),
  ...classes.map((name) => [fittingSizeColumn(name), Index.btree] as const),
  ...deviceGroups.map((group) => [memoryColumn(group), Index.btree] as const),
  ["repackages", Index.btree],
  ["change", Index.btree],
];

/** The indexes that a table of this many rows needs: of the columns that are searched, filtered on and ordered by. */
export function indexesFor(rows: number): readonly ColumnIndex[] {
  // The text cannot be searched without an index.
  return rows < INDEX_MIN_ROWS ? allIndexes.filter(([column]) => column === "text") : allIndexes;
}
