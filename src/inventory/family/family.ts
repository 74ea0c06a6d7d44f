import type { Lineage } from "./lineage.ts";
import { imageMakers } from "./lineages/vision-models.ts";
import { lineages, lineageWords } from "./lineages.ts";
import { type NameReading, readKnownName, readModelName } from "./read-name.ts";
import { shortName } from "./short-name.ts";

/** A version after the name of a line; not a size (7b), a width (4k) or a year. */
const version = /^[-_ ]?v?(\d{1,2}(?:[.p]\d{1,2})?)(?![\d.]*[bmkx](?![a-z])|\d)/;

/** The `lines` of each lineage as one pattern, which finds the first of them in a name. */
const lineWords = new Map(
  lineages.filter((l) => l.lines).map((l) => [l, new RegExp(`(?<![a-z])(?:${l.lines?.join("|")})(?![a-z])`)]),
);

/** The series of a family in a name: `qwen2.5-coder`, `llama-3.1`; undefined if the name contains none. */
export function seriesOf(reading: NameReading, family: string): string | undefined {
  const found = reading.findings.find((finding) => finding.lineage.family === family && !finding.loose);
  if (found === undefined) {
    return undefined;
  }
  const { lineage, word, end } = found;
  const join = lineage.join ?? "-";
  const line = lineage.series?.exec(reading.text);
  if (line) {
    const written = line
      .slice(1)
      .filter((part) => part !== undefined)
      .join(join);
    return lineage.spellings?.[written] ?? written;
  }
  const number = lineage.unversioned ? undefined : version.exec(reading.text.slice(end))?.[1]?.replace("p", ".");
  const kind = lineWords.get(lineage)?.exec(reading.text)?.[0];
  if (number === undefined && kind === undefined) {
    return undefined;
  }
  return word + (number === undefined ? "" : join + number) + (kind === undefined ? "" : `-${kind}`);
}

/** The word of a name that belongs to the family but is not its name: `distilroberta`. */
export function lineWord(reading: NameReading, family: string): string | undefined {
  const word = reading.findings.find((finding) => finding.lineage.family === family && !finding.loose)?.word;
  return word === family ? undefined : word;
}

const madeFrom =
  /\b(?:based on|built (?:up)?on|derived from|(?:fine-?tuned|distilled|quanti[sz]ed|trained|adapted) (?:version )?(?:of|from)|(?:version|variant) of|initiali[sz]ed (?:from|with))\s(?:the |an? |our )?([\w.+/-]{1,80}(?: [\w.+/-]{1,60}){0,2})/gi;

/**
 * The family of the base model that a description names: "a fine-tuned version of roberta-base", "based on BERT";
 * undefined if it names none.
 */
export function describedLineage(description: string): string | undefined {
  for (const [, words = ""] of description.matchAll(madeFrom)) {
    const found = lineageWords(words.toLowerCase().replaceAll("_", "-"));
    const first = found.find(({ lineage }) => !lineage.generic) ?? found[0];
    if (first !== undefined) {
      return first.lineage.family;
    }
  }
  return undefined;
}

/** The facts from which a model's lineage is derived. */
export interface LineageInput {
  /** `owner/model` */
  name: string;
  /** The model it was made from, `owner/model`. */
  baseModel?: string;
  tags: readonly string[];
  description?: string;
}

/** The family and series of a model. */
export interface ModelLineage {
  /** In [a-z0-9-]: `qwen`, `llama`, `whisper`. */
  family: string;
  /** With its version, if the name or the base model's name contains it: `qwen2.5`, `llama-3.1`. */
  series?: string;
}

/**
 * The family and series of a model, from its own name, its base model's name and its architecture tag.
 *
 * The first that applies, in this order: a lineage under whose name its owner published the model (DeepSeek-R1-Distill,
 * Nemotron); a lineage that is always built on others (bge, jina, molmo); the base model's lineage, unless the
 * architecture tag agrees with the name instead; the name; the architecture tag; common words in the name (bert, vit);
 * the lineage of well-known fine-tunes; the base model in the description; the short name of the base or the model.
 * Never empty.
 */
export function lineageOf(input: LineageInput): ModelLineage {
  const own = readModelName(input.name);
  const baseName = input.baseModel ?? baseTag(input.tags);
  const base = baseName === undefined || baseName === input.name ? undefined : readKnownName(baseName);
  const family = decide(own, base, input.tags) ?? (input.description && describedLineage(input.description));
  if (!family) {
    return { family: shortName(baseName ?? input.name) };
  }
  const series =
    seriesOf(own, family) ??
    (base && seriesOf(base, family)) ??
    lineWord(own, family) ??
    (base && lineWord(base, family));
  return series === undefined ? { family } : { family, series };
}

function decide(own: NameReading, base: NameReading | undefined, tags: readonly string[]): string | undefined {
  if (own.official !== undefined) {
    return own.official.family;
  }
  const first = own.findings[0]?.lineage;
  if (first?.ownLine) {
    return first.family;
  }
  const ofBase = base?.official ?? base?.findings.find((found) => !(found.loose && found.lineage.generic))?.lineage;
  if (ofBase !== undefined) {
    const named = own.findings.map((found) => found.lineage.family);
    if (named.length === 0 || named.includes(ofBase.family)) {
      return ofBase.family;
    }
    const built = architecture(tags);
    return built !== undefined && !built.generic && named.includes(built.family) ? built.family : ofBase.family;
  }
  if (first !== undefined && !first.generic) {
    return aboutImages(own, tags) ?? first.family;
  }
  const built = architecture(tags)?.family;
  if (built !== undefined) {
    return own.findings.find((found) => found.lineage.over?.includes(built))?.lineage.family ?? built;
  }
  return first?.family ?? own.renamed ?? base?.findings[0]?.lineage.family ?? base?.renamed;
}

const makers = new Set(imageMakers.map((lineage) => lineage.family));
const detects = /(?<![a-z])(?:detect(?:or|ion)?|classifier)(?![a-z])/;

/** The architecture of a model that detects the images of another model, whose name it contains (sdxl-detector). */
function aboutImages({ findings, text }: NameReading, tags: readonly string[]): string | undefined {
  if (!makers.has(findings[0]?.lineage.family ?? "") || !detects.test(text)) {
    return undefined;
  }
  const built = architecture(tags)?.family;
  return built === undefined || makers.has(built) ? undefined : built;
}

/** The base model in the tags, whatever its relation to the model. */
function baseTag(tags: readonly string[]): string | undefined {
  const tag = tags.find((tag) => tag.startsWith("base_model:"));
  return tag?.slice(tag.lastIndexOf(":") + 1);
}

/**
 * Tags that only look like an architecture: tools, tasks, training methods, and the code of a language (Yiddish) that
 * is also the name of a lineage.
 */
const noArchitecture =
  /^(?:llama[-_.]?(?:cpp|factory|index|file)|mistral-common|yi|ast|sam|dac|got|aria|flux-lora|model2vec-.*|ppo|dqn|a2c|td3|controlnet|piper)$/;

const pipelineTag = "diffusers:";
const LONGEST_TAG = 40;

// Tags repeat. The cache is bounded, because tags come from outside.
const MAX_CACHED = 20_000;
const tagLineages = new Map<string, Lineage | null>();

/** The lineage of the first tag that names an architecture: `bert`, `qwen3_5_moe`, `diffusers:FluxPipeline`. */
export function architecture(tags: readonly string[]): Lineage | undefined {
  for (const tag of tags) {
    const lineage = lineageOfTag(tag);
    if (lineage !== undefined) {
      return lineage;
    }
  }
  return undefined;
}

function lineageOfTag(tag: string): Lineage | undefined {
  const text = tag.startsWith(pipelineTag) ? tag.slice(pipelineTag.length) : tag;
  // Tags with a colon describe other things, and there are too many to cache.
  if (text.length > LONGEST_TAG || text.includes(":")) {
    return undefined;
  }
  const known = tagLineages.get(text);
  if (known !== undefined) {
    return known ?? undefined;
  }
  const lineage = readTag(text.toLowerCase().replaceAll("_", "-"));
  if (tagLineages.size >= MAX_CACHED) {
    tagLineages.clear();
  }
  tagLineages.set(text, lineage ?? null);
  return lineage;
}

function readTag(text: string): Lineage | undefined {
  if (/[/ ]/.test(text) || noArchitecture.test(text)) {
    return undefined;
  }
  const first = lineageWords(text)[0];
  return first !== undefined && text.startsWith(first.word) ? first.lineage : undefined;
}
