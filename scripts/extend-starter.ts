/**
 * Adds models of a listing of the Hugging Face Hub to the starter catalogue.
 *
 * Usage: node scripts/extend-starter.ts FILE DAY [NAMES [FACTS]]
 *
 * FILE has one model a line, as the Hub's API lists them, plain or gzipped. DAY is the day of the listing, YYYY-MM-DD.
 * Models that the starter has stay as they are. Facts are read as in a sync. What the Hub does not say comes from the
 * model's card in src/catalogue/, and sizes of a repackaging from its original. `facts_from` says which facts these are.
 *
 * For a listing that is not the Hub's own, NAMES says where its names were found, and FACTS where its other facts are
 * from; without it they are editorial, as those of the cards.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type AppliedCard, loadCatalogue, purposes } from "../src/catalogue/index.ts";
import { languageCodes } from "../src/inventory/facts/languages.ts";
import { normalise } from "../src/inventory/facts/normalise.ts";
import { knownLabels } from "../src/inventory/facts/task-types.ts";
import { isLanguageCode, type Model, type SourceRecord, type TaskType } from "../src/inventory/index.ts";
import { normaliseLicense } from "../src/inventory/licenses/read-license.ts";
import { hubModelSchema } from "../src/sources/huggingface/api.ts";
import { huggingFaceRecord, publishedQuantization } from "../src/sources/huggingface/record.ts";
import { COMPUTED_SIZES, repositoryVariants } from "../src/sources/record/repository-variants.ts";
import { starterFolder, starterRecords } from "../src/sources/starter.ts";

const OURS = "modelscout's catalogue";
const COMPUTED = "computed: parameters x bits per weight";

/** A model of the listing. */
interface Listed {
  record: SourceRecord;
  model: Model;
  card: AppliedCard | undefined;
  files: readonly string[];
}

const [file, day, names, facts = OURS] = process.argv.slice(2);
if (file === undefined || day === undefined || !/^\d{4}-\d\d-\d\d$/.test(day)) {
  throw new Error("usage: node scripts/extend-starter.ts FILE DAY [NAMES [FACTS]]");
}
const starter = new Map<string, SourceRecord>();
for await (const record of starterRecords()) {
  starter.set(record.name.toLowerCase(), record);
}
const listed = readListing(file);

/** The models of a listing that the starter lacks, by name in lower case. */
function readListing(path: string): Map<string, Listed> {
  const bytes = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  const models = new Map<string, Listed>();
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const hub = hubModelSchema.parse(JSON.parse(line));
    const key = hub.id.toLowerCase();
    const read = huggingFaceRecord(hub, { hubUrl: "https://huggingface.co" });
    if ("problem" in read) {
      console.error(`${hub.id} is left out: ${read.problem}`);
    } else if (!starter.has(key) && hub.private !== true && hub.disabled !== true) {
      models.set(key, {
        record: read.record,
        model: normalise(read.record, { source: "huggingface", seenAt: Date.parse(day as string) }),
        card: loadCatalogue().cardOf(key),
        files: (hub.siblings ?? []).map(({ rfilename }) => rfilename),
      });
    }
  }
  return models;
}

/** The line of a model, or why it has none. */
function starterLine({ record, model, card, files }: Listed): SourceRecord | string {
  const declared = model.labels.filter((label) => knownLabels.includes(label));
  const labels = declared.length > 0 ? declared : tasksOf(card);
  if (labels.length === 0) {
    return "nobody says what its task is";
  }
  const from: Record<string, string> =
    names === undefined ? {} : { name: `${names}, ${day}`, ...listedElsewhere(record) };
  if (record.task_types === undefined) {
    from.task_types = declared.length > 0 ? "read from tags and name" : OURS;
  }
  if (card?.description !== undefined) {
    from.description = OURS;
  }
  const stated = card?.license ?? model.license;
  const original = originalOf(model.key);
  const license = stated ?? original?.license;
  if (license !== undefined && license !== "other") {
    if (stated === undefined) {
      from.license = `as of ${original?.name}`;
    } else if (card?.license !== undefined || names !== undefined) {
      from.license = card?.license === undefined ? facts : OURS;
    }
  }
  const base = model.baseModel ?? card?.weights_of;
  if (model.baseModel === undefined && base !== undefined) {
    from.base_model = OURS;
  }
  const counts = countsOf(model.key);
  if (counts.parameters !== undefined) {
    from.parameters = counts.from;
  }
  const sizes = sizesOf({ record, model, card, files }, counts.parameters, labels);
  if (record.downloads !== undefined) {
    from.downloads = `Hugging Face Hub, ${day}`;
  }
  return omitAbsent({
    name: record.name,
    source: "huggingface",
    source_url: record.source_url,
    task_types: labels,
    tags: usefulTags(record.tags ?? [], model),
    description: card?.description,
    license: license === undefined || license === "other" ? undefined : normaliseLicense(license),
    parameters: counts.parameters,
    // In a dense model all are active.
    active_parameters: (counts.active ?? 0) < (counts.parameters ?? 0) ? counts.active : undefined,
    context_length: record.context_length ?? original?.context_length,
    ...sizes.facts,
    downloads: record.downloads,
    likes: record.likes,
    updated_at: record.updated_at,
    gated: record.gated,
    library: record.library,
    languages: model.languages.filter(isLanguageCode),
    base_model: base,
    facts_from: { ...from, ...sizes.from },
  });
}

/** Where the facts of a listing that is not the Hub's own are from. */
function listedElsewhere(record: SourceRecord): Record<string, string> {
  const stated = ["task_types", "gated", "library", "base_model"] as const;
  return Object.fromEntries(stated.filter((field) => record[field] !== undefined).map((field) => [field, facts]));
}

/** The first task that each purpose of a card is served by. */
function tasksOf(card: AppliedCard | undefined): string[] {
  const [first = ""] = Object.keys(card?.purposes ?? {});
  return (purposes().get(first)?.tasks ?? []).filter((task) => knownLabels.includes(task)).slice(0, 1);
}

/** Tags about files, tools, publishing and licences. */
const noise =
  /^(?:transformers|safetensors|pytorch|tf|jax|rust|keras|tf-keras|sentence-transformers|sentence transformers|diffusers|timm|open_clip|mlx-lm|onnx|openvino|coreml|custom_code|endpoints_compatible|autotrain_compatible|text-generation-inference|text-embeddings-inference|inference endpoints|eval-results|model-index|mteb|tensorboard|trl|sft|unsloth|generated_from_trainer|hf-asr-leaderboard|robust-speech-event|xlsr-fine-tuning-week|mozilla-foundation.*|common_voice|has_space|transformers\.js|quantized|compressed-tensors|modelopt|model optimizer|vllm|imatrix|gguf|llama\.cpp|model_hub_mixin|pytorch_model_hub_mixin|pretraining|pretrained.*|text2text-generation|not-for-all-audiences|feature-extraction|llm-?compressor|diffusion-single-file|nlp|lm|cl|exbert|new|neuralmagic|\d-bit)$/i;

/** The words that say what a model is and does, in lower case. */
function usefulTags(tags: readonly string[], { languages }: Model): string[] {
  const useful = tags
    .filter((tag) => !tag.includes(":") && !noise.test(tag) && !knownLabels.includes(tag.toLowerCase()))
    .map((tag) => tag.toLowerCase())
    .filter((tag) => tag.length > 1)
    .filter((tag) => !languageCodes([tag]).some((code) => languages.includes(code)));
  return [...new Set([...(tags.includes("conversational") ? ["chat"] : []), ...useful])];
}

/** The starter's or the listing's facts of the model that this one repackages or copies. */
function originalOf(key: string): SourceRecord | undefined {
  const entry = listed.get(key);
  const name = (
    entry?.card?.weights_of ?? (entry?.model.repackaging ? entry.model.baseModel : undefined)
  )?.toLowerCase();
  return name === undefined || name === key ? undefined : (starter.get(name) ?? listed.get(name)?.record);
}

/** Whether repackagings of a model may have only one of its parts: of image and video models, the one that draws. */
function ofParts({ types }: Model): boolean {
  return types.includes("image-gen");
}

interface Counts {
  parameters?: number;
  active?: number;
  from: string;
}

/** The parameters of a model: of its card, else of its original, else of its own files or name. */
function countsOf(key: string, depth = 0): Counts {
  const { record, model, card } = listed.get(key) as Listed;
  const original = ofParts(model) ? undefined : originalOf(key)?.name.toLowerCase();
  const known = original === undefined ? undefined : starter.get(original);
  // A card that states clearly other parameters describes a part, such as the picture half of CLIP.
  const isPart =
    Math.abs((card?.parameters ?? 0) / (known?.parameters ?? 1) - 1) > 0.05 && card?.parameters !== undefined;
  if (known?.parameters !== undefined && !isPart) {
    return { parameters: known.parameters, active: known.active_parameters, from: `as of ${known.name}` };
  }
  if (card?.parameters !== undefined && record.library !== "peft") {
    return { parameters: card.parameters, active: card.active_parameters ?? record.active_parameters, from: OURS };
  }
  if (record.parameters === undefined && original !== undefined && listed.has(original) && depth < 3) {
    return countsOf(original, depth + 1);
  }
  const isNamed = record.facts_from?.parameters === "the model's name";
  return {
    // The files of a collection are too many to be one model.
    parameters: isNamed || !ofParts(model) ? record.parameters : undefined,
    active: card?.active_parameters ?? record.active_parameters,
    from: isNamed ? "read from the name" : names === undefined ? (record.facts_from?.parameters ?? "") : facts,
  };
}

/** Formats whose precision only the name can say. */
const opaqueFormats = /^(?:onnx|coreml|tflite|mlc|fp8|gguf|openvino)$/;
/** Tasks whose models were published in 16 bits from the start; small models for others usually have 32. */
const generative: ReadonlySet<string> = new Set([
  "text-generation",
  "image-text-to-text",
  "any-to-any",
  "text-to-image",
  "image-to-image",
  "text-to-video",
  "image-to-video",
  "audio-text-to-text",
  "video-text-to-text",
  "text-to-speech",
]);
const MOST_OF_SMALL = 1.2e9;

/** Variants and size, as far as files, names and parameters say, with where they are from. */
function sizesOf(
  { record, card, files, model }: Listed,
  parameters: number | undefined,
  labels: readonly string[],
): { facts: Pick<SourceRecord, "size_gb" | "variants">; from: Record<string, string> } {
  const quantization = publishedQuantization(record.name, record.tags ?? []);
  const { variants } = repositoryVariants({
    files: files.map((path) => ({ path })),
    quantization: quantization?.label,
    parameters,
  });
  let computed = COMPUTED;
  if (variants.length === 0 && parameters !== undefined && quantization === undefined) {
    const assumed = assumedVariant({ record, card, files, model }, parameters, labels);
    if (assumed !== undefined) {
      variants.push(assumed.variant);
      computed = assumed.from;
    }
  }
  const sized = variants.filter(({ size_gb: size }) => size !== undefined);
  const full = sized.filter(({ quantization: label }) => /^(?:bf16|fp16|fp32)$/.test(label));
  // The smallest of full quality, or the largest where all are quantized.
  const bySize = sized.map(({ size_gb: size }) => size as number).sort((a, b) => a - b);
  const size = full.length > 0 ? Math.min(...full.map((variant) => variant.size_gb as number)) : bySize.at(-1);
  return {
    facts: { size_gb: size, variants: variants.length > 0 ? variants : undefined },
    from: { ...(size !== undefined && { size_gb: computed, variants: COMPUTED_SIZES }) },
  };
}

/** The weights of a repository that does not say their precision. */
function assumedVariant({ record, card, files }: Listed, parameters: number, labels: readonly string[]) {
  const isAdapter = card?.readiness === "adapter" || record.library === "peft";
  if (isAdapter || opaqueFormats.test(card?.format ?? "") || files.some((path) => path.endsWith(".gguf"))) {
    return undefined;
  }
  const tags = record.tags ?? [];
  const has = (ending: RegExp, tag: string) => files.some((path) => ending.test(path)) || tags.includes(tag);
  const format =
    record.library === "ctranslate2" || card?.format === "ctranslate2"
      ? "ctranslate2"
      : has(/\.safetensors$/, "safetensors")
        ? "safetensors"
        : has(/\.(?:bin|pth?)$/, "pytorch")
          ? "pytorch"
          : undefined;
  if (format === undefined) {
    return undefined;
  }
  // A copy under the original's name has the original's weights.
  const original = originalOf(record.name.toLowerCase())?.variants?.find(
    (variant) => variant.repository === undefined && variant.format !== "gguf",
  );
  const named = /(?<![a-z0-9])(bf16|fp16|fp32)(?![a-z0-9])/i.exec(record.name)?.[1]?.toLowerCase();
  const isSmall = parameters < MOST_OF_SMALL && !labels.some((label) => generative.has(label));
  // Converters to CTranslate2 halve the precision.
  const usual = isSmall && format !== "ctranslate2" ? "fp32" : "bf16";
  const quantization = named ?? (format === "ctranslate2" ? "fp16" : (original?.quantization ?? usual));
  const { variants } = repositoryVariants({ files: [{ path: "x.safetensors" }], quantization, parameters });
  const [variant] = variants;
  if (variant === undefined) {
    return undefined;
  }
  const isKnown = named !== undefined || (original !== undefined && format !== "ctranslate2");
  const bits = quantization === "fp32" ? 32 : 16;
  const from = isKnown ? COMPUTED : `computed: parameters x ${bits} bits; the precision of the files is not known`;
  return { variant: { ...variant, format }, from };
}

/** The file of a model: of the type of its first task, or of code. */
function fileOf({ types }: Model, labels: readonly string[]): TaskType {
  if (types.includes("code")) {
    return "code";
  }
  return normalise({ name: "a/b", task_types: [labels[0] as string] }, { source: "", seenAt: 0 }).types[0] as TaskType;
}

function omitAbsent(record: SourceRecord): SourceRecord {
  const given = Object.entries(record).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(given) as SourceRecord;
}

const lines = new Map<string, string[]>();
for (const entry of listed.values()) {
  const line = starterLine(entry);
  if (typeof line === "string") {
    console.error(`${entry.record.name} is left out: ${line}`);
    continue;
  }
  const name = `${fileOf(entry.model, line.task_types as string[])}.jsonl`;
  lines.set(name, [...(lines.get(name) ?? []), JSON.stringify(line)]);
}
for (const [name, texts] of lines) {
  appendFileSync(join(starterFolder, name), `${texts.join("\n")}\n`);
  console.log(`${name}: ${texts.length} models added`);
}
