import { lineageOf, type ModelLineage } from "../family/family.ts";
import { repackagingOf } from "../family/repackaging.ts";
import { taskOfLineage } from "../family/tasks.ts";
import { declaredLicense } from "../licenses/read-license.ts";
import { languageCodes, languageTags } from "./languages.ts";
import type { Model, Variant } from "./model.ts";
import type { SourceRecord } from "./record.ts";
import { knownLabels, type TaskType, taskTypeOf } from "./task-types.ts";

/** What `normalise` needs besides the record. */
export interface NormaliseOptions {
  /** The source's name, for records without one. */
  source: string;
  /** When the record was read, in milliseconds since 1970. */
  seenAt: number;
}

/** Converts a source's record to a model of the inventory. Pure: the same record gives the same model. */
export function normalise(record: SourceRecord, options: NormaliseOptions): Model {
  const tags = unique((record.tags ?? []).map((tag) => tag.trim()));
  const source = record.source ?? options.source;
  const tagged = taggedFacts(record, tags);
  const base = baseOf(record, tags, tagged.base_model);
  const lineage = lineageOf({ name: record.name, baseModel: base.name, tags, description: record.description });
  const labels = labelsOf(record, tags, lineage);
  const variants = variantsOf(record);
  return compact<Model>({
    key: record.name.toLowerCase(),
    name: record.name,
    ...lineage,
    labels,
    types: typesOf(record, labels, tags),
    source,
    sourceUrl: record.source_url,
    license: tagged.license,
    parameters: record.parameters,
    activeParameters: activeOf(record),
    contextLength: record.context_length,
    sizeGb: record.size_gb ?? fullQualitySize(variants),
    downloads: record.downloads,
    likes: record.likes,
    updatedAt: record.updated_at === undefined ? undefined : Date.parse(record.updated_at),
    library: record.library,
    languages: languageCodes(tagged.languages),
    baseModel: base.name,
    repackaging: base.repackaging,
    gated: record.gated,
    tags,
    description: record.description === "" ? undefined : record.description,
    variants,
    attention: record.attention,
    sources: [compact({ name: source, url: record.source_url, seenAt: options.seenAt })],
    factsFrom: record.facts_from ?? {},
  });
}

/** Facts that a record has in a field or, without the field, in its tags. */
export function taggedFacts(
  record: SourceRecord,
  tags: readonly string[] = record.tags ?? [],
): { license?: string; languages: readonly string[]; base_model?: string } {
  return {
    license: declaredLicense({ id: record.license, tags }),
    languages: record.languages ?? languageTags(tags, record.name),
    base_model: record.base_model ?? baseTag(tags),
  };
}

function baseTag(tags: readonly string[]): string | undefined {
  return (
    tagValue(tags, "base_model:quantized:") ??
    tagValue(tags, "base_model:finetune:") ??
    tagValue(tags, "base_model:adapter:") ??
    tagValue(tags, "base_model:merge:") ??
    tags.find((tag) => /^base_model:[^:/]+\/[^:]+$/.test(tag))?.slice("base_model:".length)
  );
}

function baseOf(
  record: SourceRecord,
  tags: readonly string[],
  name: string | undefined,
): { name?: string; repackaging: boolean } {
  const quantizedFrom = tagValue(tags, "base_model:quantized:");
  const known = name !== undefined && name.toLowerCase() !== record.name.toLowerCase() ? name : undefined;
  const repackaging = repackagingOf(record.name, known, quantizedFrom !== undefined);
  return { name: repackaging?.base ?? known, repackaging: repackaging !== undefined };
}

const labels: ReadonlySet<string> = new Set(
  knownLabels.filter((label) => label !== "conversational" && label !== "other"),
);

/** Diffusers' tag of the pipeline that a model is made for, with the label of the pipeline's task. */
const pipelineLabels: ReadonlyArray<readonly [RegExp, string]> = [
  [/^diffusers:\w*(?:ImageToVideo|Img2Vid|I2V)\w*Pipeline$/, "image-to-video"],
  [/^diffusers:(?:Wan|LTX|HunyuanVideo|CogVideo|Mochi|TextToVideo)\w*Pipeline$/, "text-to-video"],
  [/^diffusers:\w*(?:Img2Img|InstructPix2Pix|Upscale|Inpaint|Edit|Kontext|Fill)\w*Pipeline$/, "image-to-image"],
  [
    /^diffusers:(?:StableDiffusion|Flux|ZImage|Sana|PixArt|QwenImage|LatentConsistency|HiDream|Lumina|Kandinsky)\w*Pipeline$/,
    "text-to-image",
  ],
];

/** The source's labels; else the labels among the tags; else the task of the pipeline or of the lineage. */
function labelsOf(record: SourceRecord, tags: readonly string[], lineage: ModelLineage): string[] {
  const declared = unique(
    (record.task_types ?? []).map((label) =>
      label
        .trim()
        .toLowerCase()
        .replace(/[\s_]+/g, "-"),
    ),
  );
  if (declared.length > 0) {
    return declared;
  }
  const tagged = tags.filter((tag) => labels.has(tag));
  if (tagged.length > 0) {
    return tagged;
  }
  const made = pipelineLabels.find(([pipeline]) => tags.some((tag) => pipeline.test(tag)))?.[1];
  // The hub once had a task of this name; today it marks models with a chat template.
  const label = made ?? taskOfLineage({ ...lineage, name: record.name, chats: tags.includes("conversational") });
  return label === undefined ? [] : [label];
}

const codeMark =
  /(?:^|[-_/. ])(?:code|codes|coding|programming|coder|code-?llama|code-?gen\d*|code-?qwen[\d.]*|code-?geex\d*|code-?gemma|code-?t5p?|stable-?code|starcoder\d*(?:base)?|codestral|devstral|opencode\w*)(?:$|[-_/. ,\d])|(?<!en|de|re|trans|vo|geo|bar)coder(?![a-z])/i;
/** Types whose models write text and may be made for code. Models of other types need a name that says so. */
const writers: ReadonlySet<TaskType> = new Set<TaskType>(["text-gen"]);
const codeDescription =
  /\b(?:writes?|writing|completes?|completing|generates?|generating|explains?|fixes|edits?|repairs?)(?: \w+){0,3} (?:code|sql|programs?|source code|functions?)\b|\bcod(?:e|ing) (?:model|assistant|completion|generation|agent)s?\b/i;
const codeTag = /^(?:code|coding|coder|code-generation|code-completion|programming|text-to-sql|text2sql)$/i;

/**
 * The task types of the labels, and `code` for models that write and are made for code: by name, tag or description. A
 * model for images and text, or one without a label, is judged by its name only.
 */
function typesOf(record: SourceRecord, labels: readonly string[], tags: readonly string[]): TaskType[] {
  const types = labels.map(taskTypeOf);
  const named = codeMark.test(record.name.split("/")[1] ?? "");
  const writes = types.some((type) => writers.has(type));
  const madeForCode = writes
    ? named || tags.some((tag) => codeTag.test(tag)) || codeDescription.test(record.description ?? "")
    : named &&
      (types.length === 0 || types.includes("multimodal")) &&
      !/embed|rank|bert|formula|retriev/i.test(record.name);
  return unique(madeForCode ? [...types, "code" as const] : types);
}

/** The active parameters, unless all parameters are active: then the model is dense. */
function activeOf(record: SourceRecord): number | undefined {
  const { active_parameters: active, parameters } = record;
  return active !== undefined && parameters !== undefined && active >= parameters ? undefined : active;
}

function variantsOf(record: SourceRecord): Variant[] {
  return (record.variants ?? [])
    .map((v) =>
      compact<Variant>({
        quantization: v.quantization,
        format: v.format,
        sizeGb: v.size_gb,
        repository: v.repository,
        unpublished: v.unpublished || undefined,
      }),
    )
    .sort((a, b) => (b.sizeGb ?? 0) - (a.sizeGb ?? 0) || (a.quantization < b.quantization ? -1 : 1));
}

/** Quantizations of full quality: 16 or 32 bits a weight. */
const fullQuality = /^(?:bf16|f16|fp16|f32|fp32|float16|float32|bfloat16)$/i;

function fullQualitySize(variants: readonly Variant[]): number | undefined {
  const full = variants.filter((v) => fullQuality.test(v.quantization) && v.sizeGb !== undefined);
  return full.length > 0 ? Math.min(...full.map((v) => v.sizeGb as number)) : undefined;
}

function tagValue(tags: readonly string[], prefix: string): string | undefined {
  return tags.find((tag) => tag.startsWith(prefix))?.slice(prefix.length);
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

/** Drops the keys whose value is undefined, so that an absent fact is also absent in JSON and in comparisons. */
function compact<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  const kept: Partial<T> = {};
  for (const key in value) {
    if (value[key] !== undefined) {
      kept[key] = value[key] as T[typeof key];
    }
  }
  return kept as T;
}
