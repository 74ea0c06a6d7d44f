import type { SourceRecord } from "../../inventory/index.ts";

type Attention = NonNullable<SourceRecord["attention"]>;

/** Where models that also see or hear keep the configuration of their language model. */
const INNER = ["text_config", "llm_config", "language_config", "thinker_config"] as const;

/**
 * Keys of designs whose cache is not keys and values of each layer, or not for each token: state spaces, shared caches,
 * selected or compressed tokens, linear attention. Others name the heads of keys and values in their own way. Nothing is read from such a configuration.
 */
const OTHER_DESIGN =
  /^(?:mamba|ssm|rwkv|hybrid|layers_block_type|block_types?$|attn_layer_(?:indices|period|offset)|conv_|linear_(?:num|key|value|conv)|index_(?:topk|n_heads|head_dim)|compress_ratios?|num_kv_shared_layers|cross_attention|is_encoder_decoder$|decoder_layers$|multi_query$|attn_config$|n_kv_heads$|block_configs$|attn_type_list$|linear_attn_config$|layer_group_size$|(?:use_)?cla(?:_share_factor)?$)/;

/** Layers by the names in `layer_types`. */
const FULL = new Set(["full_attention", "attention", "global"]);
const WINDOWED = new Set(["sliding_attention", "chunked_attention", "sliding_window", "local"]);

/**
 * The attention layout in a `config.json`, by the names that transformers uses. Undefined if the text is not such a
 * configuration, or has keys that this function does not know: a wrong layout is worse than none.
 */
export function attentionOf(text: string): Attention | undefined {
  const outer = objectOf(parsed(text));
  const inner = INNER.map((key) => objectOf(outer?.[key])).find((found) => found !== undefined);
  const config = objectOf(inner?.text_config) ?? inner ?? outer;
  if (config === undefined || Object.entries(config).some(([key, value]) => OTHER_DESIGN.test(key) && isSet(value))) {
    return undefined;
  }
  // Models with other heads in each layer have null here.
  if ("num_key_value_heads" in config && whole(config.num_key_value_heads) === undefined) {
    return undefined;
  }
  const layers = whole(config.num_hidden_layers) ?? whole(config.n_layer) ?? whole(config.n_layers);
  const heads = whole(config.num_attention_heads) ?? whole(config.n_head) ?? whole(config.n_heads);
  const width = whole(config.hidden_size) ?? whole(config.n_embd) ?? whole(config.d_model);
  const kvHeads = whole(config.num_key_value_heads) ?? whole(config.num_kv_heads) ?? heads;
  const headDim = whole(config.head_dim) ?? (width && heads ? Math.floor(width / heads) : undefined);
  const rank = whole(config.kv_lora_rank);
  const spread = layers === undefined ? undefined : layersOf(config, layers);
  if (layers === undefined || spread === undefined) {
    return undefined;
  }
  if (rank !== undefined) {
    return { ...spread, latent_dim: rank + (whole(config.qk_rope_head_dim) ?? 0) };
  }
  return kvHeads === undefined || headDim === undefined
    ? undefined
    : { ...spread, kv_heads: kvHeads, head_dim: headDim };
}

/** Which layers keep the whole context, and the window of the others. */
function layersOf(config: Readonly<Record<string, unknown>>, layers: number): Attention | undefined {
  const window = config.use_sliding_window === false ? undefined : whole(config.sliding_window);
  const types = config.layer_types;
  if (Array.isArray(types)) {
    const full = types.filter((type) => FULL.has(String(type))).length;
    const windowed = types.filter((type) => WINDOWED.has(String(type))).length;
    if (types.length !== layers || full + windowed !== layers || (windowed > 0 && window === undefined)) {
      return undefined;
    }
    return windowed === 0 ? { layers, kv_layers: layers } : { layers, kv_layers: full, window };
  }
  if (window === undefined) {
    return { layers, kv_layers: layers };
  }
  const every = whole(config.sliding_window_pattern);
  // A window without a pattern may be of all layers, of every second, or of none: models differ.
  return every === undefined || every > layers ? undefined : { layers, kv_layers: Math.floor(layers / every), window };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

/** Whether a key says anything: false, null, 0 and an empty list do not. */
function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** The largest that a configuration of a real model has. */
const MOST = 1_000_000;

function whole(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value <= MOST ? value : undefined;
}
