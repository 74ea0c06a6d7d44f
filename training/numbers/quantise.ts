/** Rounds rows to 8-bit numbers. A row is its numbers times its own scale; a row of zeros has the scale 0. */
export function quantised(
  vectors: Float32Array,
  rows: number,
  dimensions: number,
): { values: Int8Array; scales: Float32Array } {
  const values = new Int8Array(rows * dimensions);
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    let largest = 0;
    for (let at = 0; at < dimensions; at++) {
      largest = Math.max(largest, Math.abs(vectors[row * dimensions + at]!));
    }
    if (largest === 0) {
      continue;
    }
    scales[row] = largest / 127;
    for (let at = 0; at < dimensions; at++) {
      values[row * dimensions + at] = Math.round((vectors[row * dimensions + at]! / largest) * 127);
    }
  }
  return { values, scales };
}
