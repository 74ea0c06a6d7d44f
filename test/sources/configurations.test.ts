import { describe, expect, it } from "vitest";
import { attentionOf } from "../../src/sources/huggingface/configurations.ts";

const layout = (config: unknown) => attentionOf(JSON.stringify(config));

const otherDesign = (more: object) =>
  JSON.stringify({ num_hidden_layers: 32, num_attention_heads: 32, hidden_size: 4096, ...more });

describe("layouts in configurations", () => {
  it.each([
    // Figures of published files: OPT 13B, EXAONE Deep 32B in the form of Llama, EXAONE 4.0 1.2B, Kimi VL.
    [
      { hidden_size: 5120, num_attention_heads: 40, num_hidden_layers: 40, vocab_size: 50_272 },
      { layers: 40, kv_layers: 40, kv_heads: 40, head_dim: 128 },
    ],
    [
      { head_dim: 128, hidden_size: 5120, num_attention_heads: 40, num_key_value_heads: 8, num_hidden_layers: 64 },
      { layers: 64, kv_layers: 64, kv_heads: 8, head_dim: 128 },
    ],
    [
      {
        head_dim: 64,
        hidden_size: 2048,
        layer_types: Array(30).fill("full_attention"),
        num_attention_heads: 32,
        num_hidden_layers: 30,
        num_key_value_heads: 8,
        sliding_window: null,
      },
      { layers: 30, kv_layers: 30, kv_heads: 8, head_dim: 64 },
    ],
    [
      { text_config: { num_hidden_layers: 27, kv_lora_rank: 512, qk_rope_head_dim: 64, num_attention_heads: 16 } },
      { layers: 27, kv_layers: 27, latent_dim: 576 },
    ],
    [
      {
        num_hidden_layers: 4,
        num_attention_heads: 8,
        head_dim: 64,
        sliding_window: 1024,
        layer_types: ["sliding_attention", "sliding_attention", "sliding_attention", "full_attention"],
      },
      { layers: 4, kv_layers: 1, window: 1024, kv_heads: 8, head_dim: 64 },
    ],
    [
      { n_layer: 12, n_head: 12, n_embd: 768, sliding_window: 4096, use_sliding_window: false },
      { layers: 12, kv_layers: 12, kv_heads: 12, head_dim: 64 },
    ],
  ])("%#", (config, expected) => {
    expect(layout(config)).toEqual(expected);
  });

  it.each([
    ["no JSON", "<html>"],
    ["a list", "[1]"],
    ["no layers", JSON.stringify({ num_attention_heads: 8, hidden_size: 512 })],
    ["layers beyond all models", JSON.stringify({ num_hidden_layers: 1e9, num_attention_heads: 8, hidden_size: 512 })],
    [
      "linear layers",
      JSON.stringify({
        num_hidden_layers: 2,
        num_attention_heads: 8,
        hidden_size: 512,
        layer_types: ["linear_attention", "full_attention"],
      }),
    ],
    [
      "a state space",
      JSON.stringify({ num_hidden_layers: 2, num_attention_heads: 8, hidden_size: 512, mamba_d_state: 16 }),
    ],
    ["an indexer", JSON.stringify({ num_hidden_layers: 2, kv_lora_rank: 512, index_topk: 2048 })],
    [
      "shared caches",
      JSON.stringify({ num_hidden_layers: 2, num_attention_heads: 8, hidden_size: 512, num_kv_shared_layers: 1 }),
    ],
    [
      "an encoder and a decoder",
      JSON.stringify({ num_hidden_layers: 2, num_attention_heads: 8, d_model: 512, is_encoder_decoder: true }),
    ],
    [
      "a window of unknown layers",
      JSON.stringify({ num_hidden_layers: 2, num_attention_heads: 8, hidden_size: 512, sliding_window: 4096 }),
    ],
    ["a window of more layers than there are", otherDesign({ sliding_window: 4096, sliding_window_pattern: 64 })],
    ["one head for all (Falcon 7B)", otherDesign({ multi_query: true })],
    ["heads in attn_config (MPT)", otherDesign({ attn_config: { kv_n_heads: 8 } })],
    ["heads by another name", otherDesign({ n_kv_heads: 8 })],
    ["heads of each layer (DeciLM)", otherDesign({ num_key_value_heads: null, block_configs: [{ attention: {} }] })],
    ["heads that are null", otherDesign({ num_key_value_heads: null })],
    ["kinds of layers in a list (MiniMax-01)", otherDesign({ attn_type_list: [0, 1] })],
    ["linear attention (Kimi Linear)", otherDesign({ linear_attn_config: { full_attn_layers: [4] } })],
    ["groups of linear layers (Ring-linear)", otherDesign({ layer_group_size: 5 })],
    ["caches that layers share", otherDesign({ use_cla: true, cla_share_factor: 2 })],
  ])("reads nothing from %s", (_name, text) => {
    expect(attentionOf(text)).toBeUndefined();
  });
});
