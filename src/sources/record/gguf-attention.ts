import type { SourceRecord } from "../../inventory/index.ts";

type Attention = NonNullable<SourceRecord["attention"]>;

/**
 * Every how many layers the whole context is kept, by architecture, where llama.cpp does not need the key
 * `attention.sliding_window_pattern` (its src/models). The other layers have a window.
 */
const windowed: ReadonlyMap<string, { every: number; always: boolean }> = new Map([
  ["gemma2", { every: 2, always: true }],
  ["gemma3", { every: 6, always: true }],
  ["cohere2", { every: 4, always: true }],
  ["gpt-oss", { every: 2, always: true }],
  // Ollama's name for it.
  ["gptoss", { every: 2, always: true }],
  ["llama4", { every: 4, always: true }],
  ["exaone4", { every: 4, always: false }],
  ["olmo2", { every: 4, always: false }],
]);

/** Keys of attention that this understands or that do not change the cache. Any other may be a new design. */
const plainAttention =
  /^(?:head_count|head_count_kv|key_length|value_length|(?:key|value)_length_(?:mla|swa)|layer_norm(?:_rms)?_epsilon|group_norm_(?:epsilon|groups)|causal|(?:q|kv)_lora_rank|sliding_window|sliding_window_pattern|shared_kv_layers|scale|output_scale|value_scale|temperature_(?:length|scale)|max_alibi_bias|clamp_kqv)$/;
/** Keys of layers with a state instead of a cache. */
const state = /^(?:ssm|wkv|shortconv|kda)\./;
/** Keys of encoders with decoders, whose cache has two parts. */
const twoParts = /^decoder_block_count$/;

/**
 * The attention layout in the keys of a GGUF header (or of Ollama's `model_info`, which has the same keys). Undefined
 * if they say something that this does not know: a wrong layout is worse than none.
 */
export function ggufAttention(keys: ReadonlyMap<string, unknown>): Attention | undefined {
  const architecture = keys.get("general.architecture");
  if (typeof architecture !== "string") {
    return undefined;
  }
  const at = (key: string) => keys.get(`${architecture}.${key}`);
  const own = [...keys.keys()].flatMap((key) =>
    key.startsWith(`${architecture}.`) ? [key.slice(architecture.length + 1)] : [],
  );
  const isNew = own.some((key) => key.startsWith("attention.") && !plainAttention.test(key.slice(10)));
  if (isNew || own.some((key) => twoParts.test(key)) || Number(at("attention.shared_kv_layers") ?? 0) !== 0) {
    return undefined;
  }
  const blocks = whole(at("block_count"));
  // The last layers of some files predict further tokens; engines that do not use them give them no cache.
  const layers = blocks === undefined ? undefined : blocks - (whole(at("nextn_predict_layers")) ?? 0);
  const heads = layers === undefined ? undefined : headsOf(at("attention.head_count_kv"), at, layers);
  if (layers === undefined || heads === undefined) {
    return undefined;
  }
  const cached = heads.layers ?? layersOfInterval(at("full_attention_interval"), layers);
  if (cached === undefined && own.some((key) => state.test(key))) {
    return undefined;
  }
  const spread = windowsOf(architecture, at, layers, cached);
  const width = widthOf(at, heads.each);
  return spread && width && { ...spread, ...width };
}

type At = (key: string) => unknown;

/** The heads of keys and values, and how many layers have them if the header lists them for each layer. */
function headsOf(value: unknown, at: At, layers: number): { each: number; layers?: number } | undefined {
  if (!Array.isArray(value)) {
    const each = whole(value === undefined ? at("attention.head_count") : value);
    return each === undefined ? undefined : { each };
  }
  const some = value.slice(0, layers).filter((heads) => heads !== 0);
  const each = whole(some[0]);
  // Layers with different numbers of heads do not fit the format of records.
  return value.length < layers || each === undefined || some.some((heads) => heads !== each)
    ? undefined
    : { each, layers: some.length };
}

function layersOfInterval(value: unknown, layers: number): number | undefined {
  const every = whole(value);
  return every === undefined ? undefined : Math.floor(layers / every);
}

/**
 * Which layers keep the whole context, and the window of the others.
 *
 * @param cached the layers with a cache, if not all have one.
 */
function windowsOf(architecture: string, at: At, layers: number, cached: number | undefined): Attention | undefined {
  const known = windowed.get(architecture);
  const window = whole(at("attention.sliding_window"));
  if (window === undefined) {
    return known?.always ? undefined : { layers, kv_layers: cached ?? layers };
  }
  const pattern = at("attention.sliding_window_pattern");
  const full = fullLayers(pattern === undefined ? known?.every : pattern, layers);
  const otherWidth = ["key_length", "value_length"].some((key) => {
    const inWindow = at(`attention.${key}_swa`);
    return inWindow !== undefined && inWindow !== at(`attention.${key}`);
  });
  if (full === undefined || otherWidth || (cached ?? layers) !== layers) {
    return undefined;
  }
  return full === layers ? { layers, kv_layers: layers } : { layers, kv_layers: full, window };
}

/** Layers without a window, by a flag for each layer or by a period (0: none, 1: all). */
function fullLayers(pattern: unknown, layers: number): number | undefined {
  if (Array.isArray(pattern)) {
    return pattern.length < layers ? undefined : pattern.slice(0, layers).filter((flag) => !flag).length;
  }
  return pattern === 0 ? 0 : layersOfInterval(pattern, layers);
}

/**
 * What a layer stores for each token. Files with `key_length_mla` keep the compressed form of latent attention; in older
 * ones llama.cpp keeps the keys and values of all heads.
 */
function widthOf(at: At, kvHeads: number): Attention | undefined {
  const rank = whole(at("attention.kv_lora_rank"));
  if (rank !== undefined && at("attention.key_length_mla") !== undefined) {
    return { latent_dim: rank + (whole(at("rope.dimension_count")) ?? 0) };
  }
  const width = whole(at("embedding_length"));
  const heads = whole(at("attention.head_count"));
  const usual = width && heads ? Math.floor(width / heads) : undefined;
  const keys = whole(at("attention.key_length")) ?? usual;
  const values = whole(at("attention.value_length")) ?? usual;
  const headDim = keys && values ? (keys + values) / 2 : undefined;
  return headDim !== undefined && Number.isInteger(headDim) ? { kv_heads: kvHeads, head_dim: headDim } : undefined;
}

/** The largest that a header of a real model has. */
const MOST = 1_000_000;

function whole(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value <= MOST ? value : undefined;
}
