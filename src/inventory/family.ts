import { type Lineage, lineages } from "./family/lineages.ts";
import { renamed } from "./family/renamed.ts";
import { shortName } from "./family/short-name.ts";

/** What is known of a model when its lineage is looked for. */
export interface LineageInput {
  /** `owner/model` */
  name: string;
  /** The model it was made from, `owner/model`. */
  baseModel?: string;
  tags: readonly string[];
}

/** Where a model comes from. */
export interface ModelLineage {
  /** The lineage, in [a-z0-9-]: `qwen`, `llama`, `whisper`. */
  family: string;
  /** The line with its version, where the name or the base model's tells it: `qwen2.5`, `llama-3.1`. */
  series?: string;
}

/** A lineage found in a name, and the word that told it. */
interface Finding {
  lineage: Lineage;
  word: string;
  /** Where the word ends. */
  end: number;
}

const lineageOfWord = new Map(lineages.flatMap((lineage) => lineage.names.map((word) => [word, lineage] as const)));

// A word ends before anything but a letter; a version may be glued to it with or without a v.
const wordEnd = "(?![a-uw-z]|v(?![0-9]))";
const wordsInName = new RegExp(`(?<![a-z])(?:${alternatives([...lineageOfWord.keys()])})${wordEnd}`, "g");
const wordsAtEnd = new RegExp(
  `(?<=[a-z])(?:${alternatives(lineages.filter((l) => l.suffix).flatMap((l) => l.names.filter((n) => n.length > 3)))})${wordEnd}`,
);
const renamedWords = new RegExp(`(?<![a-z])(?:${alternatives([...renamed.keys()])})${wordEnd}`);

/**
 * The family and series of a model, from its own name, its base model's name and its architecture tag.
 *
 * The base model decides, with two exceptions: a name of a line that its makers build on other lineages (Nemotron,
 * bge, DeepSeek-R1-Distill), and an architecture tag that agrees with the name and not with the base. Without a known
 * base the name decides, then the architecture tag, then generic words in the name; after that it is known by its
 * base's or its own short name. Never empty.
 */
export function lineageOf(input: LineageInput): ModelLineage {
  const own = readName(input.name);
  const baseName = input.baseModel ?? baseTag(input.tags);
  const base = baseName === undefined || baseName === input.name ? undefined : readName(baseName);
  const finding = decide(own, base, input.tags);
  if (finding === undefined) return { family: shortName(baseName ?? input.name) };
  const { family } = finding.lineage;
  const series = seriesOf(own, family) ?? (base && seriesOf(base, family)) ?? undefined;
  return series === undefined ? { family } : { family, series };
}

function decide(own: NameReading, base: NameReading | undefined, tags: readonly string[]): { lineage: Lineage } | undefined {
  if (own.official) return own.official;
  const ofBase = base?.official ?? base?.findings[0] ?? base?.renamed;
  const first = own.findings[0];
  if (ofBase !== undefined) {
    if (own.findings.some((found) => found.lineage === ofBase.lineage)) return ofBase;
    if (first?.lineage.ownLine) return first;
    if (first !== undefined && !first.lineage.generic && architecture(tags) === first.lineage) return first;
    return ofBase;
  }
  if (first !== undefined && !first.lineage.generic) return first;
  const lineage = architecture(tags);
  return (lineage && { lineage }) ?? first ?? own.renamed;
}

/** What a name tells. The findings are best first. */
interface NameReading {
  text: string;
  findings: Finding[];
  /** The lineage that the name's owner makes and the name names. */
  official?: Finding;
  /** The lineage of a well-known fine-tune whose name names no lineage. */
  renamed?: { lineage: Lineage };
}

// Base models repeat: a few thousand of them are behind most of the hub. Bounded, because names come from outside.
const MAX_CACHED = 20_000;
const readings = new Map<string, NameReading>();

function readName(name: string): NameReading {
  const cached = readings.get(name);
  if (cached !== undefined) return cached;
  const reading = readFresh(name);
  if (readings.size >= MAX_CACHED) readings.clear();
  readings.set(name, reading);
  return reading;
}

function readFresh(name: string): NameReading {
  const slash = name.indexOf("/");
  const owner = name.slice(0, Math.max(slash, 0)).toLowerCase();
  const text = name
    .slice(slash + 1)
    .replace(/For[A-Z]\w*/, "-for")
    .toLowerCase()
    .replaceAll("_", "-");
  const findings: Finding[] = [];
  for (const match of text.matchAll(wordsInName)) {
    findings.push({ lineage: lineageOfWord.get(match[0]) as Lineage, word: match[0], end: match.index + match[0].length });
  }
  findings.sort((a, b) => Number(a.lineage.generic ?? false) - Number(b.lineage.generic ?? false) || a.end - b.end);
  const official = findings.find((found) => found.lineage.owners?.includes(owner));
  if (findings.length > 0) return { text, findings, official };
  const atEnd = wordsAtEnd.exec(text);
  if (atEnd !== null) {
    const lineage = lineageOfWord.get(atEnd[0]) as Lineage;
    return { text, findings: [{ lineage: { ...lineage, generic: true }, word: atEnd[0], end: atEnd.index + atEnd[0].length }] };
  }
  const line = renamedWords.exec(text);
  const family = line === null ? undefined : renamed.get(line[0]);
  const lineage = lineages.find((l) => l.family === family);
  return { text, findings, renamed: family === undefined ? undefined : { lineage: lineage ?? { family, names: [] } } };
}

/** The lineage of the first tag that names an architecture. */
function architecture(tags: readonly string[]): Lineage | undefined {
  for (const tag of tags) {
    const lineage = lineageOfTag(tag);
    if (lineage !== undefined) return lineage;
  }
  return undefined;
}

/** Tags that only look like an architecture: tools, and languages that share a word with a lineage (Yiddish). */
const noArchitecture = /^(?:llama[-_.]?(?:cpp|factory|index|file)|mistral-common|yi|ast|sam|dac|got|aria|flux-lora|model2vec-.*)$/;
const tagLineages = new Map<string, Lineage | undefined>();

function lineageOfTag(tag: string): Lineage | undefined {
  if (tagLineages.has(tag)) return tagLineages.get(tag);
  const lineage = readTag(tag.toLowerCase().replaceAll("_", "-"));
  if (tagLineages.size >= MAX_CACHED) tagLineages.clear();
  tagLineages.set(tag, lineage);
  return lineage;
}

function readTag(tag: string): Lineage | undefined {
  const text = tag.startsWith("diffusers:") ? tag.slice("diffusers:".length) : tag;
  if (text.length > 40 || /[:/ ]/.test(text) || noArchitecture.test(text)) return undefined;
  wordsInName.lastIndex = 0;
  const match = wordsInName.exec(text);
  wordsInName.lastIndex = 0;
  return match !== null && match.index === 0 ? lineageOfWord.get(match[0]) : undefined;
}

/** The base model that the tags tell, whatever was done to it. */
function baseTag(tags: readonly string[]): string | undefined {
  const tag = tags.find((tag) => tag.startsWith("base_model:"));
  return tag?.slice(tag.lastIndexOf(":") + 1);
}

const version = /^[-_ ]?v?(\d{1,2}(?:[.p]\d{1,2})?)(?![\d.]*[bmkx](?![a-z])|\d)/;

function seriesOf(reading: NameReading, family: string): string | undefined {
  const found = reading.findings.find((finding) => finding.lineage.family === family);
  if (found === undefined) return undefined;
  const { lineage, word } = found;
  const line = lineage.series?.exec(reading.text);
  if (line) return line.slice(1).filter((part) => part !== undefined).join("-");
  const number = version.exec(reading.text.slice(found.end))?.[1]?.replace("p", ".");
  const kind = lineage.lines?.find((kind) => new RegExp(`(?<![a-z])${kind}(?![a-z])`).test(reading.text));
  if (number === undefined && kind === undefined && word === family) return undefined;
  return word + (number === undefined ? "" : `${lineage.join ?? "-"}${number}`) + (kind === undefined ? "" : `-${kind}`);
}

function alternatives(words: readonly string[]): string {
  return [...new Set(words)]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.]/g, "\\$&"))
    .join("|");
}
