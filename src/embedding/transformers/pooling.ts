/** How the vectors of a text's tokens are combined into one. */
export type Pooling = "mean" | "cls" | "max" | "last";

/** The values of a tensor and its dimensions. */
export interface TokenVectors {
  data: ArrayLike<number>;
  /** Texts, tokens, length of a vector. */
  dims: readonly number[];
}

/** Flags of sentence-transformers' 1_Pooling/config.json. */
const flags = {
  pooling_mode_mean_tokens: "mean",
  // Differs from the mean only by a factor, which scaling to length 1 removes.
  pooling_mode_mean_sqrt_len_tokens: "mean",
  pooling_mode_cls_token: "cls",
  pooling_mode_max_tokens: "max",
  pooling_mode_lasttoken: "last",
} as const satisfies Record<string, Pooling>;

/** Names in its newer format. */
const names = {
  mean: "mean",
  mean_sqrt_len_tokens: "mean",
  cls: "cls",
  max: "max",
  lasttoken: "last",
} as const satisfies Record<string, Pooling>;

/**
 * @param config the content of 1_Pooling/config.json, or `{}` if there is none.
 * @returns the pooling it names. The mean if it names none.
 * @throws Error for an unsupported pooling, or for several.
 */
export function poolingOf(config: Readonly<Record<string, unknown>>): Pooling {
  const asked = Object.keys(config).filter((key) => key.startsWith("pooling_mode_") && config[key] === true);
  if (typeof config.pooling_mode === "string") {
    asked.push(config.pooling_mode);
  }
  if (asked.length === 0) {
    return "mean";
  }
  const known: Readonly<Record<string, Pooling>> = { ...flags, ...names };
  const pooling = asked.length === 1 ? known[asked[0]!] : undefined;
  if (pooling === undefined) {
    throw new Error(
      `1_Pooling/config.json asks for ${asked.join(" and ")}; one of mean, cls, max and last token is supported`,
    );
  }
  return pooling;
}

/**
 * @param mask 1 for each token of a text, 0 for padding.
 * @returns a vector of length 1 for each text, one after another. Zeros for a text without tokens.
 */
export function pool(
  tokens: TokenVectors,
  mask: ArrayLike<number | bigint>,
  pooling: Pooling,
): Float32Array<ArrayBuffer> {
  const [texts = 0, length = 0, dimensions = 0] = tokens.dims;
  const vectors = new Float32Array(texts * dimensions);
  for (let text = 0; text < texts; text++) {
    const vector = vectors.subarray(text * dimensions, (text + 1) * dimensions);
    const rows: number[] = [];
    for (let at = 0; at < length; at++) {
      if (Number(mask[text * length + at]) === 1) {
        rows.push(text * length + at);
      }
    }
    const [first] = rows;
    if (first === undefined) {
      continue;
    }
    const used = pooling === "cls" ? [first] : pooling === "last" ? [rows.at(-1)!] : rows;
    if (pooling === "max") {
      vector.fill(Number.NEGATIVE_INFINITY);
    }
    for (const row of used) {
      for (let place = 0; place < dimensions; place++) {
        const value = tokens.data[row * dimensions + place]!;
        if (pooling !== "max") {
          vector[place]! += value;
        } else if (value > vector[place]!) {
          vector[place] = value;
        }
      }
    }
    toLengthOne(vector);
  }
  return vectors;
}

/** Scales a vector to length 1, in place. A vector of zeros stays as it is. */
export function toLengthOne(vector: Float32Array): void {
  let squares = 0;
  for (const value of vector) {
    squares += value * value;
  }
  if (squares === 0) {
    return;
  }
  const length = Math.sqrt(squares);
  for (let place = 0; place < vector.length; place++) {
    vector[place]! /= length;
  }
}
