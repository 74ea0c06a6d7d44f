import { z } from "zod";
import { type Capability, declaredLicense, parseRecord } from "../../inventory/index.ts";
import { ggufAttention } from "../record/gguf-attention.ts";
import { namedParameters } from "../record/named-parameters.ts";

/** The parts of Ollama's models that we read, as its API sends them (docs/api.md of its project). */

const text = z.string().nullish().catch(undefined);
const words = z.array(z.string()).nullish().catch(undefined);

const detailsSchema = z
  .object({
    format: text,
    family: text,
    families: words,
    /** `8.0B`, `137M` */
    parameter_size: text,
    quantization_level: text,
  })
  .nullish()
  .catch(undefined);

/** A model in the list of `GET /api/tags`. */
export const ollamaTagSchema = z.object({
  name: z.string().min(1),
  size: z.number().nonnegative().nullish(),
  details: detailsSchema,
  /** Set for models that run in Ollama's cloud and are only listed here. */
  remote_host: text,
});

export type OllamaTag = z.infer<typeof ollamaTagSchema>;

/** The answer of `GET /api/tags`. */
export const ollamaTagsSchema = z.object({ models: z.array(z.unknown()) });

/** The answer of `POST /api/show`. */
export const ollamaShowSchema = z.object({
  /** The full text of the licence. */
  license: z
    .union([z.string(), z.array(z.string()).transform((texts) => texts.join("\n"))])
    .nullish()
    .catch(undefined),
  details: detailsSchema,
  /** The file's metadata, by GGUF key: `general.parameter_count`, `llama.context_length`. */
  model_info: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  capabilities: words,
});

export type OllamaShow = z.infer<typeof ollamaShowSchema>;

/** How licences begin, or a phrase that only they have. More specific ones come first. */
const texts: ReadonlyArray<readonly [words: RegExp, id: string]> = [
  [/llama 4 community license/i, "llama4"],
  [/llama 3\.3 community license/i, "llama3.3"],
  [/llama 3\.2 community license/i, "llama3.2"],
  [/llama 3\.1 community license/i, "llama3.1"],
  [/(?:meta )?llama 3 community license/i, "llama3"],
  [/llama 2 community license/i, "llama2"],
  [/gemma terms of use/i, "gemma"],
  [/qwen research license/i, "qwen-research"],
  [/tongyi qianwen (?:research )?license/i, "qwen"],
  [/deepseek license agreement/i, "deepseek"],
  [/creative commons attribution-?non-?commercial 4\.0/i, "cc-by-nc-4.0"],
  [/creative commons attribution-?share-?alike 4\.0/i, "cc-by-sa-4.0"],
  [/creative commons attribution 4\.0/i, "cc-by-4.0"],
  [/stability ai community license/i, "stabilityai-ai-community"],
  [/bigcode open ?rail-m|bigcode openrail-m/i, "bigcode-openrail-m"],
  [/gnu affero general public license\s+version 3/i, "agpl-3.0"],
  [/gnu lesser general public license\s+version 3/i, "lgpl-3.0"],
  [/gnu general public license\s+version 3/i, "gpl-3.0"],
  [/apache license,?\s+version 2\.0/i, "apache-2.0"],
  [/permission is hereby granted, free of charge, to any person obtaining a copy/i, "mit"],
  [/redistribution and use in source and binary forms[\s\S]{0,2000}neither the name/i, "bsd-3-clause"],
  [/redistribution and use in source and binary forms/i, "bsd-2-clause"],
];

/** A licence names itself at its beginning; long ones quote other licences further down. */
const BEGINNING_CHARS = 6_000;

/** The id of the licence with this text; undefined for an unknown text. */
export function licenseOfText(text: string): string | undefined {
  const beginning = text.slice(0, BEGINNING_CHARS).replace(/\s+/g, " ");
  return texts.find(([words]) => words.test(beginning))?.[1];
}

/** The task label of each capability, more specific ones first; `vision` with `completion` gives both labels. */
const labelOfCapability: ReadonlyArray<readonly [capability: string, label: string]> = [
  ["embedding", "feature-extraction"],
  ["image", "text-to-image"],
  ["vision", "image-text-to-text"],
  ["audio", "audio-text-to-text"],
  ["completion", "text-generation"],
];

/** What Ollama's capabilities say besides the task. */
const capabilityOf: ReadonlyMap<string, Capability> = new Map([
  ["tools", "tools"],
  ["thinking", "reasoning"],
  ["vision", "vision"],
  ["audio", "audio"],
]);

/** A parameter takes at least a bit. */
const LEAST_BYTES = 1 / 8;

/**
 * The name of an Ollama model: `ollama/NAME:TAG`, with slashes in NAME as two dashes. A model that Ollama got from the
 * Hub has its Hub name, so that both sources describe one model.
 */
export function ollamaName(name: string): string {
  const fromHub = /^(?:hf\.co|huggingface\.co)\/([^/]+\/[^/:]+)(?::|$)/.exec(name)?.[1];
  if (fromHub !== undefined) {
    return fromHub;
  }
  const withTag = name.slice(name.lastIndexOf("/") + 1).includes(":") ? name : `${name}:latest`;
  return `ollama/${withTag.replaceAll("/", "--")}`;
}

/** The page of a model in Ollama's own library; undefined for other models. */
function libraryPage(name: string): string | undefined {
  const [model = ""] = name.split(":");
  if (/^(?:hf\.co|huggingface\.co)\//.test(name)) {
    return `https://huggingface.co/${ollamaName(name)}`;
  }
  return /^[\w.-]+$/.test(model) ? `https://ollama.com/library/${model}` : undefined;
}

/**
 * The record of a local Ollama model, or what is wrong with it.
 *
 * @param show the details of the model; undefined if they could not be read.
 */
export function ollamaRecord(tag: OllamaTag, show: OllamaShow | undefined): ReturnType<typeof parseRecord> {
  const details = { ...tag.details, ...show?.details };
  const info = new Map(Object.entries(show?.model_info ?? {}));
  const text = (key: string) => {
    const value = info.get(key);
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  };
  const architecture = text("general.architecture");
  const whole = (key: string) => {
    const value = info.get(architecture === undefined ? key : key.replace(/^\./, `${architecture}.`));
    return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
  };
  const isRemote = Boolean(tag.remote_host);
  // A model in the cloud is a file of a few hundred bytes here.
  const bytes = isRemote ? undefined : tag.size || undefined;
  const parameters = parametersOf(whole("general.parameter_count") ?? written(details.parameter_size), bytes);
  const quantization = details.quantization_level?.trim();
  const isNamed = quantization !== undefined && quantization !== "" && quantization.toLowerCase() !== "unknown";
  const capabilities = show?.capabilities ?? [];
  const beside = capabilities.flatMap((capability) => capabilityOf.get(capability) ?? []);
  const declared = declaredLicense({
    id: text("general.license"),
    name: text("general.license.name"),
    link: text("general.license.link"),
  });
  const known = declared === "other" ? undefined : declared;
  return parseRecord({
    name: ollamaName(tag.name),
    source_url: libraryPage(tag.name),
    task_types: labelsOf(capabilities),
    tags: [
      ...(details.format ? [details.format] : []),
      ...new Set([details.family, ...(details.families ?? [])].filter((family) => Boolean(family))),
      ...capabilities.filter((capability) => ["tools", "thinking", "insert"].includes(capability)),
      ...(isRemote ? ["cloud"] : []),
    ],
    license: known ?? (show?.license ? licenseOfText(show.license) : undefined) ?? declared,
    parameters,
    active_parameters: namedParameters(tag.name).activeParameters,
    context_length: whole(".context_length"),
    library: "ollama",
    base_model: baseOf(text("general.base_model.0.repo_url")),
    variants: isNamed && !isRemote ? [{ quantization, format: details.format || "gguf", ...sized(bytes) }] : undefined,
    attention: ggufAttention(info),
    capabilities: beside.length > 0 ? beside : undefined,
  });
}

function sized(bytes: number | undefined): { size_gb?: number } {
  return bytes === undefined ? {} : { size_gb: bytes / 1e9 };
}

/** Task labels of the capabilities; undefined if Ollama lists none, as its older versions do. */
function labelsOf(capabilities: readonly string[]): string[] | undefined {
  const labels = labelOfCapability
    .filter(([capability]) => capabilities.includes(capability))
    .map(([, label]) => label);
  if (labels.length === 0) {
    return undefined;
  }
  const main = labels[0] as string;
  return main === "image-text-to-text" || main === "audio-text-to-text" ? [main] : labels;
}

/** Reads a number such as `8.0B`. */
function written(size: string | null | undefined): number | undefined {
  const found = /^\s*(\d+(?:\.\d+)?)\s*([KMBT])\s*$/i.exec(size ?? "");
  const unit = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 }[found?.[2]?.toUpperCase() ?? ""];
  return found === null || unit === undefined ? undefined : Math.round(Number(found[1]) * unit) || undefined;
}

function parametersOf(declared: number | undefined, bytes: number | undefined): number | undefined {
  return declared !== undefined && (bytes === undefined || declared * LEAST_BYTES <= bytes) ? declared : undefined;
}

function baseOf(url: string | undefined): string | undefined {
  return /^https?:\/\/huggingface\.co\/([\w.-]+\/[\w.-]+)\/?$/.exec(url ?? "")?.[1];
}
