/** A value of a header. Whole numbers become uint32, other numbers float32, lists lists of the first element's type. */
type Value = number | boolean | string | readonly number[] | readonly boolean[] | readonly string[];

/** The beginning of a GGUF file of version 3 with these keys in this order, and no tensors. */
export function ggufFile(keys: Readonly<Record<string, Value>>): Buffer {
  const entries = Object.entries(keys);
  return Buffer.concat([
    Buffer.from("GGUF"),
    uint32(3),
    uint64(0),
    uint64(entries.length),
    ...entries.flatMap(([key, value]) => [text(key), ...typed(value)]),
  ]);
}

/** The keys of a vocabulary of so many words, as converters write them after all others. */
export function vocabulary(words: number): Record<string, Value> {
  return {
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.tokens": Array.from({ length: words }, (_, index) => `word ${index}`),
    "tokenizer.ggml.token_type": Array<number>(words).fill(1),
  };
}

function typed(value: Value): Buffer[] {
  if (!Array.isArray(value)) {
    return [uint32(typeOf(value as number)), scalar(value as number)];
  }
  const length = uint64(value.length);
  return [uint32(9), uint32(value.length === 0 ? 4 : typeOf(value[0])), length, ...value.map((each) => scalar(each))];
}

function typeOf(value: number | boolean | string): number {
  if (typeof value === "string") {
    return 8;
  }
  return typeof value === "boolean" ? 7 : Number.isInteger(value) ? 4 : 6;
}

function scalar(value: number | boolean | string): Buffer {
  if (typeof value === "string") {
    return text(value);
  }
  if (typeof value === "boolean") {
    return Buffer.from([value ? 1 : 0]);
  }
  const bytes = Buffer.alloc(4);
  Number.isInteger(value) ? bytes.writeUInt32LE(value) : bytes.writeFloatLE(value);
  return bytes;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
