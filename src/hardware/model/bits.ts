/**
 * True bits per weight of each quantization.
 *
 * Block formats follow from their layout (ggml-common.h of llama.cpp: a block's bytes x 8 / its weights); the mixed
 * `_S/_M/_L` recipes use several block types, so theirs are the averages of the repeated layers. The embedding and the
 * output head are counted separately (see `bitsFor`).
 */

/** Bits of the repeated layers, and of the two matrices that recipes treat separately. */
interface Recipe {
  /** Average over the repeated layers. */
  body: number;
  /** The output head, or the embedding if it is tied to the head. Default: body. */
  head?: number;
  /** The input embedding, if it is a separate matrix. Default: body. */
  embedding?: number;
  /** Whether files have a head of their own for models whose embedding serves as the head. Default: false. */
  separatesHead?: boolean;
}

/** Q6_K: 210 bytes for 256 weights. */
const Q6_K = 6.5625;
/** Q5_K: 176 bytes for 256 weights. */
const Q5_K = 5.5;
/** Q4_K: 144 bytes for 256 weights. */
const Q4_K = 4.5;
/** Q3_K: 110 bytes for 256 weights. */
const Q3_K = 3.4375;
/** Q2_K: 84 bytes for 256 weights. */
const Q2_K = 2.625;
/** Q8_0: 34 bytes for 32 weights. */
const Q8_0 = 8.5;

const gguf: Record<string, Recipe> = {
  q8_0: { body: Q8_0 },
  // Unsloth keeps head and embedding of Q8_K_XL at 16 bits, and matrices that differ from model to model.
  q8_k_xl: { body: 9.1, head: 16, embedding: 16 },
  q8_k: { body: 9.125 },
  q6_k: { body: Q6_K },
  q6_k_l: { body: Q6_K, head: Q8_0, embedding: Q8_0 },
  q6_k_xl: { body: 7.2, head: Q8_0, embedding: Q8_0 },
  // Q5_K_M and Q4_K_M: Q6_K for half of attention's values and of the down projections.
  q5_k_xl: { body: 5.7, head: Q6_K, embedding: Q6_K },
  q5_k_l: { body: 5.66, head: Q8_0, embedding: Q8_0 },
  q5_k_m: { body: 5.66, head: Q6_K, embedding: Q5_K },
  q5_k_s: { body: 5.5, head: Q6_K, embedding: Q5_K },
  q5_k: { body: 5.66, head: Q6_K, embedding: Q5_K },
  q5_0: { body: 5.5, head: Q6_K },
  q5_1: { body: 6, head: Q6_K },
  q4_k_xl: { body: 4.9, head: Q6_K, embedding: Q5_K },
  q4_k_l: { body: 4.8, head: Q8_0, embedding: Q8_0 },
  q4_k_m: { body: 4.8, head: Q6_K, embedding: Q4_K },
  q4_k_s: { body: 4.55, head: Q6_K, embedding: Q4_K },
  q4_k: { body: 4.8, head: Q6_K, embedding: Q4_K },
  q4_0: { body: 4.5, head: Q6_K },
  q4_1: { body: 5, head: Q6_K },
  // As Q3_K_L, with head and embedding at 8 bits (the READMEs of bartowski's repositories).
  q3_k_xl: { body: 4.2, head: Q8_0, embedding: Q8_0 },
  // Unsloth's files with this name use other types.
  ud_q3_k_xl: { body: 3.9, head: Q6_K, embedding: Q4_K },
  q3_k_l: { body: 4.2, head: Q6_K, embedding: Q3_K },
  q3_k_m: { body: 3.85, head: Q6_K, embedding: Q3_K },
  q3_k_s: { body: Q3_K, head: Q6_K, embedding: Q3_K },
  q3_k: { body: 3.85, head: Q6_K, embedding: Q3_K },
  q2_k_xl: { body: 3.1, head: Q6_K, embedding: Q4_K },
  q2_k_l: { body: 3, head: Q8_0, embedding: Q8_0 },
  q2_k: { body: 2.97, head: Q6_K, embedding: Q2_K },
  q2_k_s: { body: 2.75, head: Q6_K, embedding: Q2_K },
  iq4_nl: { body: 4.5, head: Q6_K },
  iq4_xs: { body: 4.3, head: Q6_K, embedding: 4.25 },
  iq3_m: { body: 3.6, head: Q6_K, embedding: Q3_K },
  iq3_s: { body: 3.44, head: Q6_K, embedding: Q3_K },
  iq3_xs: { body: 3.3, head: Q6_K, embedding: Q3_K },
  iq3_xxs: { body: 3.06, head: Q5_K, embedding: Q3_K },
  iq2_m: { body: 2.7, head: Q5_K, embedding: Q3_K },
  iq2_s: { body: 2.5, head: Q5_K, embedding: Q3_K },
  // Q4_K for attention's values and Q2_K for the first eighth of the down projections; in IQ1, IQ2_XXS for the outputs
  // of attention (llama-quant.cpp, for models with four or more query heads to a key head).
  iq2_xs: { body: 2.36, head: Q5_K, embedding: Q2_K },
  iq2_xxs: { body: 2.13, head: Q5_K, embedding: Q2_K },
  iq1_m: { body: 1.86, head: Q5_K, embedding: Q2_K },
  iq1_s: { body: 1.69, head: Q5_K, embedding: Q2_K },
  tq2_0: { body: 2.06, head: Q6_K, embedding: Q4_K },
  tq1_0: { body: 1.69, head: Q6_K, embedding: Q4_K },
  // gpt-oss: experts in MXFP4 (17 bytes for 32 weights), attention and embeddings at 8 or 16 bits.
  mxfp4_moe: { body: 4.25, head: Q8_0, embedding: Q8_0 },
};

/** The other formats. In 4- and 8-bit formats for linear layers only, head and embedding stay at 16 bits. */
const others: Record<string, Recipe> = {
  fp64: { body: 64 },
  fp32: { body: 32 },
  tf32: { body: 32 },
  bf16: { body: 16 },
  fp16: { body: 16 },
  fp8: { body: 8.05, head: 16, embedding: 16 },
  // 4-bit floats with an 8-bit scale for 32 (MX) or 16 (NV) weights.
  mxfp8: { body: 8.25, head: 16, embedding: 16 },
  mxfp6: { body: 6.25, head: 16, embedding: 16 },
  // In GGUF files. Those of gpt-oss keep attention at 8 bits, too.
  mxfp4: { body: 4.4, head: Q8_0, embedding: Q8_0 },
  // In safetensors everything but the experts stays at 16 bits.
  mxfp4_safetensors: { body: 4.4, head: 16, embedding: 16 },
  nvfp4: { body: 4.5, head: 16, embedding: 16 },
  // Groups of 128 weights with a 16-bit scale and a 4-bit zero.
  awq: { body: 4.16, head: 16, embedding: 16 },
  gptq: { body: 4.16, head: 16, embedding: 16 },
  // bitsandbytes' NF4 with double quantization: 4 + 0.127 bits.
  nf4: { body: 4.13, head: 16, embedding: 16 },
  fp4: { body: 4.5, head: 16, embedding: 16 },
  int8: { body: 8.1, head: 16, embedding: 16 },
  int4: { body: 4.16, head: 16, embedding: 16 },
  hqq: { body: 4.5, head: 16, embedding: 16 },
  aqlm: { body: 2.1, head: 16, embedding: 16 },
  bitnet: { body: 2, head: 16, embedding: 16 },
};

/** MLX: groups of 64 weights with a 16-bit scale and bias, embeddings included: bits + 0.5. */
const MLX_GROUP_BITS = 0.5;
/** Unknown names: the bits in the name, plus the usual cost of the groups' scales. */
const UNKNOWN_SCALE_BITS = 0.5;
/** What most people download. Used for a name without any bits. */
const FALLBACK = gguf.q4_k_m as Recipe;

const aliases: Record<string, string> = {
  f16: "fp16",
  float16: "fp16",
  half: "fp16",
  f32: "fp32",
  float32: "fp32",
  float: "fp32",
  bfloat16: "bf16",
  f8: "fp8",
  float8: "fp8",
  fp8_e4m3: "fp8",
  fp8_dynamic: "fp8",
  fp8_block: "fp8",
  f8_e4m3: "fp8",
  w8a8: "int8",
  w8a16: "int8",
  q8: "q8_0",
  q6: "q6_k",
  q5: "q5_k_m",
  q4: "q4_k_m",
  q3: "q3_k_m",
  q2: "q2_k",
  w4a16: "int4",
  w4a4: "int4",
  bnb: "nf4",
  bnb_4bit: "nf4",
  bnb_8bit: "int8",
  autoround: "gptq",
  auto_round: "gptq",
  quantized: "int8",
  uint8: "int8",
  i8: "int8",
};

/** A quantization read from its name. */
export interface Quantization {
  /** The name in its usual spelling: Q4_K_M, bf16, MLX-4bit. */
  label: string;
  recipe: Recipe;
  /** The kind, because kernels differ in speed. */
  kind: "gguf" | "iq" | "mlx" | "float" | "gptq" | "fp8" | "fp4" | "int8" | "unknown";
  /** The cost class of unpacking a weight. */
  unpack: "float" | "legacy" | "k" | "low";
  /** False if the name is in no table and was read by its digits. */
  known: boolean;
}

/** A format in which some names mean another recipe. */
const SAFETENSORS = "safetensors";

const cache = new Map<string, Quantization>();
/** Most cached names. They come from outside, so the cache needs a limit. */
const MAX_CACHED = 2_000;
/** Characters of a name that are read. No quantization's name is longer. */
const MAX_NAME = 120;

/**
 * Reads a quantization's name. Never fails: an unknown name is read by its bits, else as Q4_K_M.
 *
 * @param format of the file, as in `VariantFigures`.
 */
export function readQuantization(name: string, format?: string): Quantization {
  const cached = cache.get(name);
  if (cached) {
    return format === SAFETENSORS && cached.label === "MXFP4" ? inSafetensors(cached) : cached;
  }
  const found = readUncached(name);
  const read = { ...found, unpack: unpackOf(found) };
  if (cache.size >= MAX_CACHED) {
    cache.clear();
  }
  cache.set(name, read);
  return readQuantization(name, format);
}

function inSafetensors(mxfp4: Quantization): Quantization {
  return { ...mxfp4, recipe: others.mxfp4_safetensors as Recipe };
}

type Found = Omit<Quantization, "unpack">;

function unpackOf({ kind, label, recipe }: Found): Quantization["unpack"] {
  if (kind === "float" || recipe.body >= 8) {
    return "float";
  }
  if (kind === "mlx" || kind === "gptq" || kind === "fp4" || /^(Q[45]_[01]|IQ4_NL)$/.test(label)) {
    return "legacy";
  }
  // Q3_K_L has more than four bits on average, but most of its blocks have three.
  return recipe.body < 4 || /^Q3_/.test(label) ? "low" : "k";
}

function readUncached(name: string): Found {
  const text = name
    .slice(0, MAX_NAME)
    .trim()
    .toLowerCase()
    .replace(/\.gguf$/, "");
  const key = text.replace(/[\s-]+/g, "_");
  const exact = byKey(key) ?? byKey(key.replace(/^(ud|i1|imat|imatrix|apex|dynamic)_/, ""));
  if (exact) {
    return exact;
  }
  // The longest name of the table that appears as whole words: "Qwen3-8B-Q4_K_M", "NVFP4 modelopt-mixed", "Q2_K_P".
  const inside = /(?:^|[^a-z0-9])(i?q\d_(?:k_(?:xl|l|m|s)|k|nl|xxs|xs|s|m|0|1)|tq[12]_0)(?=$|[^a-z0-9])/.exec(key);
  if (inside?.[1]) {
    const found = byKey(inside[1]);
    if (found) {
      return found;
    }
  }
  const mlxBits = /mlx_?(\d(?:\.\d+)?)_?bits?|(?:^|_)(\d(?:\.\d+)?)_?bits?_?mlx/.exec(key);
  if (mlxBits && Number(mlxBits[1] ?? mlxBits[2]) >= 1) {
    return mlx(Number(mlxBits[1] ?? mlxBits[2]));
  }
  const method =
    /(?:^|[^a-z])(awq|gptq|bnb|nvfp4|mxfp4|mxfp6|mxfp8|nf4|fp8|fp4|hqq|aqlm|bitnet|autoround|exl[23])/.exec(key);
  const digits = bitsInName(key);
  if (method?.[1]) {
    const id = aliases[method[1]] ?? method[1];
    const scaled = id === "gptq" || id === "awq" || id === "hqq" || id === "bnb" || id === "nf4";
    if (id.startsWith("exl")) {
      const bits = digits ?? 4;
      const recipe = { body: bits, head: 6, embedding: 16, separatesHead: true };
      return { label: name.trim(), recipe, kind: "gptq", known: true };
    }
    if (scaled && digits !== undefined && digits !== 4) {
      const body = digits + 0.16;
      return { label: name.trim(), recipe: { body, head: 16, embedding: 16 }, kind: "gptq", known: true };
    }
    const found = byKey(id);
    if (found) {
      return found.label === name ? found : { ...found, label: name.trim() };
    }
  }
  // "4bit", "8-bit", as in the names of MLX repositories.
  const plain = /^(\d(?:\.\d+)?)_?bits?$/.exec(key);
  if (plain && Number(plain[1]) >= 1) {
    return mlx(Number(plain[1]));
  }
  const word =
    /(?:^|[^a-z0-9])(bf16|bfloat16|fp16|float16|f16|fp32|float32|f32|int8|int4|fp8|w8a8|w4a16)(?=$|[^a-z0-9])/.exec(
      key,
    );
  if (word?.[1]) {
    const found = byKey(word[1]);
    if (found) {
      return { ...found, label: name.trim() };
    }
  }
  if (digits !== undefined) {
    const body = digits >= 16 ? digits : digits + UNKNOWN_SCALE_BITS;
    return { label: name.trim(), recipe: { body }, kind: "unknown", known: false };
  }
  return { label: name.trim() || "Q4_K_M", recipe: FALLBACK, kind: "unknown", known: false };
}

function byKey(key: string): Found | undefined {
  const id = Object.hasOwn(aliases, key) ? (aliases[key] as string) : key;
  if (Object.hasOwn(gguf, id)) {
    const label = id.startsWith("mxfp4") ? "MXFP4_MOE" : id.toUpperCase().replace(/^UD_/, "");
    return { label, recipe: gguf[id] as Recipe, kind: id.startsWith("iq") ? "iq" : "gguf", known: true };
  }
  if (Object.hasOwn(others, id)) {
    return {
      label: /^[bf]/.test(id) && /16|32|64/.test(id) ? id : id.toUpperCase(),
      recipe: others[id] as Recipe,
      kind: kindOf(id),
      known: true,
    };
  }
  return undefined;
}

function kindOf(id: string): Quantization["kind"] {
  if (id.includes("fp4")) {
    return "fp4";
  }
  if (id.includes("fp8") || id === "mxfp6") {
    return "fp8";
  }
  if (/^(fp|bf|tf)(16|32|64)/.test(id)) {
    return "float";
  }
  if (id === "int8") {
    return "int8";
  }
  return "gptq";
}

function mlx(bits: number): Found {
  const body = bits >= 16 ? 16 : bits + MLX_GROUP_BITS;
  return { label: `MLX-${bits}bit`, recipe: { body }, kind: "mlx", known: true };
}

/** The first number from 1 to 32 in the name that means bits: "MQ4", "AVQ2", "3.5bpw", "int6". */
function bitsInName(key: string): number | undefined {
  const explicit =
    /(\d{1,2}(?:\.\d+)?)_?(?:bpw|bits?|b(?![a-z0-9]))/.exec(key) ?? /[a-z](\d{1,2}(?:\.\d+)?)(?!\d)/.exec(key);
  const bits = Number(explicit?.[1]);
  return bits >= 1 && bits <= 32 ? bits : undefined;
}

/** Shares of a model's parameters that recipes treat separately. 0 if unknown. */
export interface EmbeddingShares {
  /** The input embedding, if it is a separate matrix. */
  embedding: number;
  /** The output head, or the embedding tied to it. */
  head: number;
  /** Weights in rows whose length is no multiple of 256. Default: none. */
  ragged?: RaggedShares;
  /** Experts that are published in MXFP4, which every GGUF file keeps. Default: none. */
  mxfp4?: number;
}

/** Shares of the repeated layers' weights whose rows have no multiple of 256 weights. */
export interface RaggedShares {
  /** In rows as long as the hidden size; then those of embedding and head are ragged too. */
  rows: number;
  /** In down projections. */
  down: number;
}

/**
 * Average shares of a mid-sized model with an unknown layout, from published files of 3 to 30 billion parameters
 * (Llama 3.1 8B: 6.5 % each).
 */
export const TYPICAL_SHARES: EmbeddingShares = { embedding: 0.03, head: 0.05 };

/** Bits per weight averaged over a model of the given shares. */
export function bitsFor(quantization: Quantization, shares: EmbeddingShares): number {
  const { body, head = body, embedding = body } = quantization.recipe;
  const { ragged } = shares;
  if (shares.mxfp4 && keepsMxfp4(quantization)) {
    // Files named MXFP4 keep the other weights in the type of their head.
    const rest = quantization.kind === "fp4" || quantization.label === "MXFP4_MOE" ? head : body;
    const others = 1 - shares.mxfp4 - shares.head - shares.embedding;
    return MXFP4 * shares.mxfp4 + rest * others + head * shares.head + embedding * shares.embedding;
  }
  const extra = ragged && extraBits(quantization);
  const layers = body + (ragged && extra ? extra.rows * ragged.rows + extra.down * ragged.down : 0);
  // A tied embedding counts as the head.
  const copied = quantization.recipe.separatesHead && shares.embedding === 0 ? embedding : 0;
  const outer = (bits: number) => (extra && ragged && ragged.rows > 0 ? (blockFallbacks.get(bits) ?? bits) : bits);
  return (
    layers * (1 - shares.head - shares.embedding) +
    (outer(head) + copied) * shares.head +
    outer(embedding) * shares.embedding
  );
}

/** 17 bytes for 32 weights. */
const MXFP4 = 4.25;

function keepsMxfp4({ kind, label }: Quantization): boolean {
  return kind === "gguf" || kind === "iq" || label.toUpperCase().startsWith("MXFP4");
}

/**
 * Bits of the type that llama.cpp uses for rows whose length is no multiple of 256, by the bits of the type that it replaces
 * (llama-quant.cpp: Q2_K and Q3_K become Q4_0 or IQ4_NL, Q4_K Q5_0, Q5_K Q5_1, Q6_K Q8_0).
 */
const blockFallbacks: ReadonlyMap<number, number> = new Map([
  [Q2_K, 4.5],
  [Q3_K, 4.5],
  [Q4_K, 5.5],
  [Q5_K, 6],
  [Q6_K, Q8_0],
]);
/** By the digit of a name. The formats of one bit also become IQ4_NL. */
const blockTypes: Readonly<Record<string, number>> = {
  "1": Q2_K,
  "2": Q2_K,
  "3": Q3_K,
  "4": Q4_K,
  "5": Q5_K,
  "6": Q6_K,
};

/** Recipes that keep all down projections in a larger type than other matrices. */
const downTypes: ReadonlyMap<string, number> = new Map([
  ["Q2_K", Q3_K],
  ["Q2_K_L", Q3_K],
  ["Q3_K_L", Q5_K],
]);

/** Bits that these add for a recipe: to most rows, and to down projections, half of which `_M` recipes keep in Q6_K. */
function extraBits({ label, kind, recipe }: Quantization): { rows: number; down: number } | undefined {
  const type = blockTypes[/^I?Q([1-6])_(?!0|1|NL)/.exec(label)?.[1] ?? ""];
  if (type === undefined) {
    return undefined;
  }
  if (kind === "iq") {
    const rows = Math.max(0, 4.5 - recipe.body);
    return { rows, down: rows };
  }
  const rows = (blockFallbacks.get(type) as number) - type;
  const downType = downTypes.get(label);
  if (downType !== undefined) {
    return { rows, down: (blockFallbacks.get(downType) as number) - downType };
  }
  const mixed = /_(M|L|XL)$/.test(label) && (type === Q4_K || type === Q5_K);
  return { rows, down: mixed ? (rows + Q8_0 - Q6_K) / 2 : rows };
}

/** Bits per weight of a quantization, and whether its name is known. An unknown one is read by the bits in its name. */
export function effectiveBits(quantization: string): { bits: number; known: boolean } {
  const read = readQuantization(quantization);
  return { bits: bitsFor(read, TYPICAL_SHARES), known: read.known };
}
