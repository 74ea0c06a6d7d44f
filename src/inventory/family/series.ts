import { lineages } from "./lineages.ts";
import type { NameReading } from "./read-name.ts";

/** A version behind a line's word; not a size (7b), a width (4k) or a year. */
const version = /^[-_ ]?v?(\d{1,2}(?:[.p]\d{1,2})?)(?![\d.]*[bmkx](?![a-z])|\d)/;

/** Each lineage's `lines` as one pattern that finds the first of them in a name. */
const lineWords = new Map(
  lineages.filter((l) => l.lines).map((l) => [l, new RegExp(`(?<![a-z])(?:${l.lines?.join("|")})(?![a-z])`)]),
);

/** The line of a family that a name tells: `qwen2.5-coder`, `llama-3.1`; undefined where it tells none. */
export function seriesOf(reading: NameReading, family: string): string | undefined {
  const found = reading.findings.find((finding) => finding.lineage.family === family && !finding.loose);
  if (found === undefined) return undefined;
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
  if (number === undefined && kind === undefined) return undefined;
  return word + (number === undefined ? "" : join + number) + (kind === undefined ? "" : `-${kind}`);
}

/** The word that told the family, where it is not the family's own name: `distilroberta`. */
export function lineWord(reading: NameReading, family: string): string | undefined {
  const word = reading.findings.find((finding) => finding.lineage.family === family && !finding.loose)?.word;
  return word === family ? undefined : word;
}
