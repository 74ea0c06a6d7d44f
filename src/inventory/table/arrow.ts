import { createRequire } from "node:module";

/**
 * Apache Arrow, the same copy that LanceDB loads. An import would load the library's ES modules beside it: 134 more
 * files at each start, and classes that LanceDB takes for those of another version.
 */
const arrow: typeof import("apache-arrow") = createRequire(import.meta.url)("apache-arrow");

export const {
  Bool,
  DataType,
  Field,
  FixedSizeList,
  Float32,
  Float64,
  Int32,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  Utf8,
} = arrow;
