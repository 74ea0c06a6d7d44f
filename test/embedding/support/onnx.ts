/** Writes the few parts of the ONNX format (a Protobuf message) that the tests' models need. */

/** A field of a Protobuf message: its number and a value. */
type Field = readonly [number: number, value: bigint | number | string | Uint8Array];

/** Writes a Protobuf message of the given fields, in order. */
export function message(...fields: Field[]): Uint8Array {
  const parts = fields.map(([number, value]) => {
    if (typeof value === "number" || typeof value === "bigint") {
      return Buffer.from([...varint(number << 3), ...varint(value)]);
    }
    const bytes = typeof value === "string" ? Buffer.from(value) : value;
    return Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes]);
  });
  return Buffer.concat(parts);
}

function varint(value: bigint | number): number[] {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest > 127n; rest >>= 7n) {
    bytes.push(Number(rest & 127n) | 128);
  }
  return [...bytes, Number(rest)];
}

const FLOAT = 1;
const INT64 = 7;

function tensorInfo(name: string, type: number, dims: readonly (string | number)[]): Uint8Array {
  const shape = message(...dims.map((dim): Field => [1, message(typeof dim === "string" ? [2, dim] : [1, dim])]));
  return message([1, name], [2, message([1, message([1, type], [2, shape])])]);
}

/**
 * A model that looks up the vector of each token in a table: `last_hidden_state` [batch, sequence, dimensions] from
 * `input_ids`, `attention_mask` and `token_type_ids`.
 *
 * @param table a row for each token.
 * @param wholeSentence returns `sentence_embedding` instead, the mean of the rows, including padding.
 */
export function lookupModel(table: readonly (readonly number[])[], wholeSentence = false): Uint8Array {
  const dimensions = table[0]!.length;
  const raw = new Uint8Array(Float32Array.from(table.flat()).buffer);
  const rows = message([1, table.length], [1, dimensions], [2, FLOAT], [8, "table"], [9, raw]);
  const gather = message([1, "table"], [1, "input_ids"], [2, "last_hidden_state"], [4, "Gather"]);
  const AXES_INTS = 7;
  const axes = message([1, "axes"], [8, 1], [20, AXES_INTS]);
  const keepdims = message([1, "keepdims"], [3, 0], [20, 2]);
  const mean = message(
    [1, "last_hidden_state"],
    [2, "sentence_embedding"],
    [4, "ReduceMean"],
    [5, axes],
    [5, keepdims],
  );
  const output = wholeSentence
    ? tensorInfo("sentence_embedding", FLOAT, ["batch", dimensions])
    : tensorInfo("last_hidden_state", FLOAT, ["batch", "sequence", dimensions]);
  const inputs = ["input_ids", "attention_mask", "token_type_ids"].map(
    (name): Field => [11, tensorInfo(name, INT64, ["batch", "sequence"])],
  );
  const nodes: Field[] = wholeSentence
    ? [
        [1, gather],
        [1, mean],
      ]
    : [[1, gather]];
  const graph = message(...nodes, [2, "lookup"], [5, rows], ...inputs, [12, output]);
  return message([1, 8], [7, graph], [8, message([1, ""], [2, 13])]);
}
