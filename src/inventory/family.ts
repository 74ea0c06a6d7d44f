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

const lineageOfAccount = new Map(
  lineages.flatMap((lineage) => (lineage.accounts ?? []).map((account) => [account, lineage] as const)),
);
const lineageOfWord = new Map(lineages.flatMap((lineage) => lineage.names.map((word) => [word, lineage] as const)));

/** The words by their first two letters, the longer of two that begin alike first. */
const wordsByStart = new Map<string, string[]>();
for (const word of [...lineageOfWord.keys()].sort((a, b) => b.length - a.length)) {
  const start = word.slice(0, 2);
  const words = wordsByStart.get(start);
  if (words === undefined) wordsByStart.set(start, [word]);
  else words.push(word);
}

// A word ends before anything but a letter; a version may be glued to it with or without a v (llama3, minilmv2).
const wordEnd = "(?![a-uw-z]|v(?![0-9]))";
const wordsAtEnd = new RegExp(
  `(?<=[a-z])(?:${alternatives(lineages.filter((l) => l.suffix).flatMap((l) => l.names.filter((n) => n.length > 3)))})${wordEnd}`,
);
const renamedWords = new RegExp(`(?<![a-z])(?:${alternatives([...renamed.keys()])})${wordEnd}`);

/**
 * The family and series of a model, from its own name, its base model's name and its architecture tag.
 *
 * In this order: a line whose maker published the model under that line's name (DeepSeek-R1-Distill, Nemotron); a line
 * that is always built on other lineages (bge, jina, molmo); the base model's lineage, unless the architecture tag agrees
 * with the name instead; the name; the architecture tag; common words in the name (bert, vit); the lineage of well-known
 * fine-tunes; the base's or its own short name. Never empty.
 */
export function lineageOf(input: LineageInput): ModelLineage {
  const own = readFresh(input.name);
  const baseName = input.baseModel ?? baseTag(input.tags);
  const base = baseName === undefined || baseName === input.name ? undefined : readName(baseName);
  const lineage = decide(own, base, input.tags);
  if (lineage === undefined) return { family: shortName(baseName ?? input.name) };
  const { family } = lineage;
  const series =
    lineOf(own, family) ?? (base && lineOf(base, family)) ?? wordOf(own, family) ?? (base && wordOf(base, family));
  return series === undefined ? { family } : { family, series };
}

function decide(own: NameReading, base: NameReading | undefined, tags: readonly string[]): Lineage | undefined {
  if (own.official !== undefined) return own.official;
  const first = own.findings[0]?.lineage;
  const ofBase = base?.official ?? base?.findings[0]?.lineage;
  if (first?.ownLine) return first;
  if (ofBase !== undefined) {
    if (own.findings.some((found) => found.lineage === ofBase)) return ofBase;
    const built = own.findings.length > 0 ? architecture(tags) : undefined;
    return own.findings.find((found) => found.lineage === built && !built?.generic)?.lineage ?? ofBase;
  }
  if (first !== undefined && !first.generic) return first;
  return architecture(tags) ?? first ?? own.renamed ?? base?.renamed;
}

/** What a name tells. */
interface NameReading {
  text: string;
  /** Best first. */
  findings: Finding[];
  /** The lineage that the name's owner makes. */
  official?: Lineage;
  /** The lineage of a well-known fine-tune whose name names none. */
  renamed?: Lineage;
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
    .replace(/For[A-Z]\w*/, "")
    .toLowerCase()
    .replace(/(?<=\d)_(?=\d(?!\d))/g, ".")
    .replaceAll("_", "-");
  const findings = findWords(text);
  findings.sort((a, b) => Number(a.lineage.generic ?? false) - Number(b.lineage.generic ?? false) || a.end - b.end);
  const official =
    findings.find((found) => found.lineage.owners?.includes(owner))?.lineage ?? lineageOfAccount.get(owner);
  if (findings.length > 0) return { text, findings, official };
  const atEnd = wordsAtEnd.exec(text)?.[0];
  if (atEnd !== undefined) {
    const { family } = lineageOfWord.get(atEnd) as Lineage;
    return { text, findings: [{ lineage: looseLineage(family), word: family, end: text.length }], official };
  }
  const line = renamedWords.exec(text)?.[0];
  const family = line === undefined ? undefined : renamed.get(line);
  return { text, findings, official, renamed: family === undefined ? undefined : looseLineage(family) };
}

/** The words of lineages in a text in lower case, in its order. */
function findWords(text: string): Finding[] {
  const findings: Finding[] = [];
  for (let i = 0; i < text.length; i++) {
    if (!isLetter(text, i) || isLetter(text, i - 1)) continue;
    const word = wordsByStart
      .get(text.slice(i, i + 2))
      ?.find((word) => text.startsWith(word, i) && endsAt(text, word, i));
    if (word === undefined) continue;
    i += word.length;
    findings.push({ lineage: lineageOfWord.get(word) as Lineage, word, end: i });
    i--;
  }
  return findings;
}

function endsAt(text: string, word: string, start: number): boolean {
  const end = start + word.length;
  if (isDigit(text, end)) return !isDigit(word, word.length - 1);
  return !isLetter(text, end) || (text[end] === "v" && isDigit(text, end + 1));
}

function isLetter(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  return code >= 97 && code <= 122;
}

function isDigit(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  return code >= 48 && code <= 57;
}

const looseLineages = new Map<string, Lineage>();

/** A lineage that a name tells without its word: it decides late, and the name tells no series. */
function looseLineage(family: string): Lineage {
  const known = looseLineages.get(family);
  if (known !== undefined) return known;
  const lineage: Lineage = { family, names: [], generic: true, unversioned: true };
  looseLineages.set(family, lineage);
  return lineage;
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
const noArchitecture =
  /^(?:llama[-_.]?(?:cpp|factory|index|file)|mistral-common|yi|ast|sam|dac|got|aria|flux-lora|model2vec-.*)$/;
const tagLineages = new Map<string, Lineage | null>();

function lineageOfTag(tag: string): Lineage | undefined {
  const text = tag.startsWith(pipelineTag) ? tag.slice(pipelineTag.length) : tag;
  // Tags with a colon are about other things, and there are too many of them to remember.
  if (text.length > 40 || text.includes(":")) return undefined;
  const known = tagLineages.get(text);
  if (known !== undefined) return known ?? undefined;
  const lineage = readTag(text.toLowerCase().replaceAll("_", "-"));
  if (tagLineages.size >= MAX_CACHED) tagLineages.clear();
  tagLineages.set(text, lineage ?? null);
  return lineage;
}

const pipelineTag = "diffusers:";

function readTag(text: string): Lineage | undefined {
  if (/[/ ]/.test(text) || noArchitecture.test(text)) return undefined;
  const first = findWords(text)[0];
  return first !== undefined && text.startsWith(first.word) ? first.lineage : undefined;
}

/** The base model that the tags tell, whatever was done to it. */
function baseTag(tags: readonly string[]): string | undefined {
  const tag = tags.find((tag) => tag.startsWith("base_model:"));
  return tag?.slice(tag.lastIndexOf(":") + 1);
}

const version = /^[-_ ]?v?(\d{1,2}(?:[.p]\d{1,2})?)(?![\d.]*[bmkx](?![a-z])|\d)/;

/** Each lineage's `lines` as one pattern that finds the first of them in a name. */
const lineWords = new Map(
  lineages.filter((l) => l.lines).map((l) => [l, new RegExp(`(?<![a-z])(?:${l.lines?.join("|")})(?![a-z])`)]),
);

/** The line of a family that a name tells: `qwen2.5-coder`, `llama-3.1`. */
function lineOf(reading: NameReading, family: string): string | undefined {
  const found = reading.findings.find((finding) => finding.lineage.family === family);
  if (found === undefined) return undefined;
  const { lineage, word, end } = found;
  const join = lineage.join ?? "-";
  const line = lineage.series?.exec(reading.text);
  if (line)
    return line
      .slice(1)
      .filter((part) => part !== undefined)
      .join(join);
  const number = lineage.unversioned ? undefined : version.exec(reading.text.slice(end))?.[1]?.replace("p", ".");
  const kind = lineWords.get(lineage)?.exec(reading.text)?.[0];
  if (number === undefined && kind === undefined) return undefined;
  return word + (number === undefined ? "" : join + number) + (kind === undefined ? "" : `-${kind}`);
}

/** The word that told the family, where it is not the family's own name: `distilroberta`. */
function wordOf(reading: NameReading, family: string): string | undefined {
  const word = reading.findings.find((finding) => finding.lineage.family === family)?.word;
  return word === family ? undefined : word;
}

/** Words as one pattern, the longer of two that begin alike first. Sorted so that the engine shares beginnings. */
function alternatives(words: readonly string[]): string {
  return [...new Set(words)]
    .sort()
    .reverse()
    .map((word) => word.replaceAll(".", "\\."))
    .join("|");
}
