import { type Capability, CHAT_TEMPLATE, declaredLicense, parseRecord } from "../../inventory/index.ts";
import type { CardText } from "../record/card-text.ts";
import { COMPUTED_SIZES, FILE_SIZES, repositoryVariants } from "../record/repository-variants.ts";
import { type HubModel, hubPath } from "./api.ts";
import { declaredSize } from "./declared-size.ts";

/** How the weights of a repository are quantized. */
export interface PublishedQuantization {
  /** A label that the table of bits knows: `AWQ-4bit`, `fp8`, `MLX-6bit`. */
  label: string;
  /** Bits of a weight if several are packed into an element. */
  packedBits?: number;
}

type Method = (bits: number | undefined) => PublishedQuantization;

/** Methods by their name as a separate word, more specific ones first. */
const methods: ReadonlyArray<readonly [word: RegExp, of: Method]> = (
  [
    ["nvfp4", () => ({ label: "nvfp4", packedBits: 4 })],
    ["mxfp4", () => ({ label: "mxfp4", packedBits: 4 })],
    ["mxfp6", () => ({ label: "mxfp6", packedBits: 6 })],
    ["mxfp8", () => ({ label: "mxfp8" })],
    ["awq", (bits = 4) => ({ label: `AWQ-${bits}bit`, packedBits: bits })],
    ["gptq|autoround|auto-round", (bits = 4) => ({ label: `GPTQ-${bits}bit`, packedBits: bits })],
    ["hqq", (bits = 4) => ({ label: `HQQ-${bits}bit`, packedBits: bits })],
    ["aqlm", (bits = 2) => ({ label: `AQLM-${bits}bit`, packedBits: bits })],
    ["exl2", (bits = 4) => ({ label: `EXL2-${bits}bit`, packedBits: bits })],
    ["exl3", (bits = 4) => ({ label: `EXL3-${bits}bit`, packedBits: bits })],
    ["bnb|bitsandbytes|nf4", (bits = 4) => (bits === 8 ? { label: "int8" } : { label: "bnb-4bit", packedBits: 4 })],
    ["mlx", (bits) => (bits === undefined ? { label: "bf16" } : { label: `MLX-${bits}bit`, packedBits: bits })],
    ["w4a(?:16|8|4)|int4", () => ({ label: "int4", packedBits: 4 })],
    ["w8a(?:8|16)|int8", () => ({ label: "int8" })],
    ["fp8|f8_e4m3", () => ({ label: "fp8" })],
    ["fp4", () => ({ label: "fp4", packedBits: 4 })],
  ] satisfies ReadonlyArray<readonly [string, Method]>
).map(([word, of]) => [new RegExp(`(?<![a-z])(?:${word})(?![a-z])`), of] as const);

/** A quick check: most names and tags contain none of these. */
const anyMethod = /fp[468]|f8_|awq|gptq|auto-?round|hqq|aqlm|exl[23]|bnb|bitsandbytes|nf4|mlx|w[48]a|int[48]/;

/** Int8, w4a16. */
const weightBits = /(?<![a-z])(?:int|w)([2348])(?![0-9])/;
/** 4bit, 8-bits, 4.0bpw. */
const bitsWord = /(?<![a-z0-9.])(\d(?:\.\d{1,2})?)(?:-?_?bits?|bpw)(?![a-z0-9])/;

/**
 * How the weights of a repository are quantized, from its name or else from its tags; undefined if neither names a
 * quantization.
 *
 * @param name `owner/model`
 */
export function publishedQuantization(name: string, tags: readonly string[]): PublishedQuantization | undefined {
  const short = name.slice(name.indexOf("/") + 1).toLowerCase();
  const words = tags.filter((tag) => !tag.includes(":")).map((tag) => tag.toLowerCase());
  if (!anyMethod.test(short) && !words.some((word) => anyMethod.test(word))) {
    return undefined;
  }
  const bits = bitsIn(short) ?? words.map(bitsIn).find((found) => found !== undefined);
  for (const text of [short, ...words]) {
    const found = anyMethod.test(text) ? methods.find(([word]) => word.test(text)) : undefined;
    if (found !== undefined) {
      return found[1](bits);
    }
  }
  return undefined;
}

function bitsIn(text: string): number | undefined {
  const found = bitsWord.exec(text)?.[1] ?? weightBits.exec(text)?.[1];
  const bits = found === undefined ? undefined : Number(found);
  return bits !== undefined && bits >= 1 && bits <= 8 ? bits : undefined;
}

/** Files with weights; the rest of a repository is configuration, examples and exports. */
const weights = /\.(?:safetensors|gguf|bin|pt|pth|ckpt|onnx|nemo|h5|msgpack|mlmodel|tflite|task|litertlm)$/i;
/** Limits of `parseRecord`: a longer list or word is shortened or left out, so that the model is kept. */
const MOST_WORDS = 1_000;
const LONGEST_WORD = 300;

/** The record of a model of the Hub, or what is wrong with it. */
export function huggingFaceRecord(
  model: HubModel,
  { hubUrl, card }: { hubUrl: string; card?: CardText },
): ReturnType<typeof parseRecord> {
  const { cardData } = model;
  const tags = fitting(model.tags ?? []);
  const quantization = publishedQuantization(model.id, tags);
  const files = (model.siblings ?? []).map(({ rfilename, size }) => ({ path: rfilename, bytes: size ?? undefined }));
  const elements = model.safetensors?.parameters ?? undefined;
  const size = declaredSize({
    name: model.id,
    elements,
    total: model.safetensors?.total ?? undefined,
    ggufParameters: model.gguf?.total || undefined,
    weightFiles: files.filter(({ path }) => weights.test(path)),
    packedBits: quantization?.packedBits,
  });
  // An adapter's name contains the size of the model that it is for.
  const isAdapter = tags.some((tag) => tag.startsWith("base_model:adapter:")) || model.library_name === "peft";
  const parameters = isAdapter ? undefined : size.parameters;
  const { variants, computed } = repositoryVariants({
    files,
    quantization: quantization?.label,
    elementType: mostOf(elements),
    safetensorsBytes: size.safetensorsBytes,
    parameters,
  });
  const languages = fitting(cardData?.language ?? []);
  const capabilities = templateCapabilities(chatTemplate(model));
  return parseRecord({
    name: model.id,
    source_url: `${hubUrl}/${hubPath(model.id)}`,
    task_types: model.pipeline_tag ? [model.pipeline_tag] : undefined,
    tags,
    description: card?.summary,
    license: declaredLicense({
      id: cardData?.license?.[0],
      name: cardData?.license_name,
      link: cardData?.license_link,
    }),
    parameters,
    active_parameters: isAdapter ? undefined : size.activeParameters,
    context_length: model.gguf?.context_length || undefined,
    downloads: model.downloads ?? undefined,
    likes: model.likes ?? undefined,
    updated_at: model.lastModified ?? undefined,
    library: model.library_name ?? undefined,
    languages: languages.length > 0 ? languages : undefined,
    base_model: cardData?.base_model?.length === 1 ? cardData.base_model[0] : undefined,
    gated: model.gated === undefined || model.gated === null ? undefined : model.gated !== false,
    variants: variants.length > 0 ? variants.slice(0, MOST_WORDS) : undefined,
    card: card?.text,
    capabilities: capabilities.length > 0 ? capabilities : undefined,
    facts_from: {
      ...(parameters === undefined ? {} : { parameters: size.from }),
      ...(computed ? { variants: COMPUTED_SIZES } : hasFileSizes(variants) ? { variants: FILE_SIZES } : {}),
      ...(card?.summary === undefined ? {} : { description: "the model card" }),
      ...(capabilities.length > 0 && { capabilities: CHAT_TEMPLATE }),
    },
  });
}

function hasFileSizes(variants: ReturnType<typeof repositoryVariants>["variants"]): boolean {
  return variants.some(({ format, size_gb }) => format === "gguf" && size_gb !== undefined);
}

function chatTemplate({ gguf, config }: HubModel): readonly string[] | undefined {
  return gguf?.chat_template ?? config?.chat_template_jinja ?? config?.tokenizer_config?.chat_template ?? undefined;
}

/** Templates of models are a few thousand characters long. */
const MOST_TEMPLATE_CHARS = 100_000;

/**
 * The capabilities that a chat template (Jinja) shows. It shows tools if it writes the list of `tools` into the prompt.
 * It shows reasoning if it has a switch for thinking, as the templates of Qwen 3, DeepSeek V3.1, gpt-oss and Granite
 * have, or if it begins the answer with `<think>`. A template that only removes thoughts of earlier turns shows
 * nothing. Tools may have a template of their own.
 *
 * @param templates the usual one first.
 */
export function templateCapabilities(templates: readonly string[] = []): Capability[] {
  const bounded = templates.map((each) => each.slice(0, MOST_TEMPLATE_CHARS));
  const template = bounded[0] ?? "";
  const found: Capability[] = [];
  if (bounded.some((each) => /\{[%{][^%{}]*\btools\b/.test(each))) {
    found.push("tools");
  }
  const isSwitched = /\b(?:enable_thinking|reasoning_effort|thinking_budget|enable_reasoning)\b/.test(template);
  const start = template.lastIndexOf("add_generation_prompt");
  // An empty thought switches thinking off.
  const opensThought = start >= 0 && /<think>(?!(?:\s|\\n)*<\/think>)/.test(template.slice(start));
  if (isSwitched || opensThought) {
    found.push("reasoning");
  }
  return found;
}

/** The type of most elements. */
function mostOf(elements: Readonly<Record<string, number>> | undefined): string | undefined {
  return Object.entries(elements ?? {}).sort((a, b) => b[1] - a[1])[0]?.[0];
}

function fitting(words: readonly string[]): string[] {
  return words
    .map((word) => word.trim())
    .filter((word) => word !== "" && word.length <= LONGEST_WORD)
    .slice(0, MOST_WORDS);
}
