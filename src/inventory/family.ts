import { architecture } from "./family/architecture.ts";
import { imageMakers } from "./family/lineages/image-makers.ts";
import { type NameReading, readKnownName, readName } from "./family/read-name.ts";
import { lineWord, seriesOf } from "./family/series.ts";
import { shortName } from "./family/short-name.ts";
import { toldLineage } from "./family/told-lineage.ts";

/** What is known of a model when its lineage is looked for. */
export interface LineageInput {
  /** `owner/model` */
  name: string;
  /** The model it was made from, `owner/model`. */
  baseModel?: string;
  tags: readonly string[];
  description?: string;
}

/** Where a model comes from. */
export interface ModelLineage {
  /** The lineage, in [a-z0-9-]: `qwen`, `llama`, `whisper`. */
  family: string;
  /** The line with its version, where the name or the base model's tells it: `qwen2.5`, `llama-3.1`. */
  series?: string;
}

/**
 * The family and series of a model, from its own name, its base model's name and its architecture tag.
 *
 * In this order: a line whose maker published the model under that line's name (DeepSeek-R1-Distill, Nemotron); a line
 * that is always built on other lineages (bge, jina, molmo); the base model's lineage, unless the architecture tag agrees
 * with the name instead; the name; the architecture tag; common words in the name (bert, vit); the lineage of well-known
 * fine-tunes; what the description says that it was made from; the base's or its own short name. Never empty.
 */
export function lineageOf(input: LineageInput): ModelLineage {
  const own = readName(input.name);
  const baseName = input.baseModel ?? baseTag(input.tags);
  const base = baseName === undefined || baseName === input.name ? undefined : readKnownName(baseName);
  const family = decide(own, base, input.tags) ?? (input.description && toldLineage(input.description));
  if (!family) return { family: shortName(baseName ?? input.name) };
  const series =
    seriesOf(own, family) ??
    (base && seriesOf(base, family)) ??
    lineWord(own, family) ??
    (base && lineWord(base, family));
  return series === undefined ? { family } : { family, series };
}

function decide(own: NameReading, base: NameReading | undefined, tags: readonly string[]): string | undefined {
  if (own.official !== undefined) return own.official.family;
  const first = own.findings[0]?.lineage;
  if (first?.ownLine) return first.family;
  const ofBase = base?.official ?? base?.findings.find((found) => !(found.loose && found.lineage.generic))?.lineage;
  if (ofBase !== undefined) {
    const named = own.findings.map((found) => found.lineage.family);
    if (named.length === 0 || named.includes(ofBase.family)) return ofBase.family;
    const built = architecture(tags);
    return built !== undefined && !built.generic && named.includes(built.family) ? built.family : ofBase.family;
  }
  if (first !== undefined && !first.generic) return aboutImages(own, tags) ?? first.family;
  const built = architecture(tags)?.family;
  if (built !== undefined)
    return own.findings.find((found) => found.lineage.over?.includes(built))?.lineage.family ?? built;
  return first?.family ?? own.renamed ?? base?.findings[0]?.lineage.family ?? base?.renamed;
}

const makers = new Set(imageMakers.map((lineage) => lineage.family));
const tellsApart = /(?<![a-z])(?:detect(?:or|ion)?|classifier)(?![a-z])/;

/** The architecture of what recognises a maker's images, and has the maker's name (sdxl-detector). */
function aboutImages({ findings, text }: NameReading, tags: readonly string[]): string | undefined {
  if (!makers.has(findings[0]?.lineage.family ?? "") || !tellsApart.test(text)) return undefined;
  const built = architecture(tags)?.family;
  return built === undefined || makers.has(built) ? undefined : built;
}

/** The base model that the tags tell, whatever was done to it. */
function baseTag(tags: readonly string[]): string | undefined {
  const tag = tags.find((tag) => tag.startsWith("base_model:"));
  return tag?.slice(tag.lastIndexOf(":") + 1);
}
