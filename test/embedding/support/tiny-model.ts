import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lookupModel } from "./onnx.ts";

/** The words that the model knows. The index of a word is its token. */
export const words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "red", "green", "blue", "cat", "dog", "text"] as const;

export const dimensions = 8;

/** The most tokens of a text, including the special first and last one. */
export const maxTokens = 16;

/** The vector of a token. The padding's vector is so long that it would show in any result. */
export function rowOf(token: number): number[] {
  return Array.from({ length: dimensions }, (_, place) => (token === 0 ? 1_000 : Math.sin(1 + token * 7 + place * 3)));
}

export interface TinyModelOptions {
  /** The content of 1_Pooling/config.json. Default: no such file. */
  pooling?: object;
  /** Names of the ONNX files. Default ["model_quantized"]. */
  onnx?: readonly string[];
  /** Whether the model returns `sentence_embedding` instead of a vector for each token. */
  wholeSentence?: boolean;
  /** Additions to config.json. */
  config?: object;
  /** A factor of all vectors, so that a file of the same size has other weights. Default 1. */
  scale?: number;
}

/** Writes a model for transformers.js into a folder, which it empties first. */
export function writeTinyModel(folder: string, options: TinyModelOptions = {}): void {
  rmSync(folder, { recursive: true, force: true });
  const put = (name: string, content: object) => {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), content instanceof Uint8Array ? content : JSON.stringify(content));
  };
  put("config.json", {
    model_type: "bert",
    architectures: ["BertModel"],
    hidden_size: dimensions,
    max_position_embeddings: maxTokens,
    ...options.config,
  });
  // Some real models have this value instead of a limit.
  put("tokenizer_config.json", {
    tokenizer_class: "BertTokenizer",
    model_max_length: 1e30,
    unk_token: "[UNK]",
    pad_token: "[PAD]",
  });
  put("tokenizer.json", tokenizer());
  if (options.pooling !== undefined) {
    put("1_Pooling/config.json", options.pooling);
  }
  const table = words.map((_, token) => rowOf(token).map((value) => value * (options.scale ?? 1)));
  for (const name of options.onnx ?? ["model_quantized"]) {
    put(`onnx/${name}.onnx`, lookupModel(table, options.wholeSentence));
  }
}

/** The tokens of a text, as the model's tokenizer returns them. */
export function tokensOf(text: string): number[] {
  const known = text.toLowerCase().split(/\s+/).filter(Boolean);
  const tokens = known.map((word) => Math.max(1, words.indexOf(word as (typeof words)[number])));
  // A text that is too long loses its end, including the closing token.
  return [2, ...tokens, 3].slice(0, maxTokens);
}

/** The mean of the rows of tokens, scaled to length 1, computed by hand. */
export function meanOf(tokens: readonly number[]): number[] {
  const rows = tokens.map(rowOf);
  return unit(rows[0]!.map((_, place) => rows.reduce((sum, row) => sum + row[place]!, 0) / rows.length));
}

/** Scales a vector to length 1. */
export function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function tokenizer(): object {
  const special = [0, 1, 2, 3].map((id) => {
    const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
    return { id, content: words[id], ...flags };
  });
  const part = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: special,
    normalizer: { type: "Lowercase" },
    pre_tokenizer: { type: "WhitespaceSplit" },
    post_processor: {
      type: "TemplateProcessing",
      single: [part("[CLS]"), { Sequence: { id: "A", type_id: 0 } }, part("[SEP]")],
      pair: [{ Sequence: { id: "A", type_id: 0 } }, { Sequence: { id: "B", type_id: 1 } }],
      special_tokens: {
        "[CLS]": { id: "[CLS]", ids: [2], tokens: ["[CLS]"] },
        "[SEP]": { id: "[SEP]", ids: [3], tokens: ["[SEP]"] },
      },
    },
    decoder: null,
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
    },
  };
}
