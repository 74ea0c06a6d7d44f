import { type CatalogEntry, catalog, catalogSpellings } from "./catalog.ts";
import { type DeviceName, QUALIFIERS, readDeviceName } from "./device-names.ts";

/**
 * Finds the entry that a name means. Of several versions it takes the one with the nearest memory, else the first.
 *
 * @param memoryGb of the device, in GB as sold, if it is known.
 * @returns undefined if no entry has the name.
 */
export function matchName(read: DeviceName, memoryGb: number | undefined): CatalogEntry | undefined {
  let best: { score: number; entry: CatalogEntry } | undefined;
  for (const spelling of catalogSpellings) {
    const score = scoreSpelling(read, spelling.tokens, spelling.core);
    if (score === undefined) {
      continue;
    }
    const closeness = versionScore(spelling.entry, read, memoryGb);
    if (!best || score + closeness > best.score) {
      best = { score: score + closeness, entry: spelling.entry };
    }
  }
  return best?.entry;
}

/** A score below 1, so that it only orders versions of one name. */
function versionScore(entry: CatalogEntry, read: DeviceName, memoryGb: number | undefined): number {
  if (entry.gpuCores !== undefined && read.gpuCores !== undefined) {
    return entry.gpuCores === read.gpuCores ? 0.9 : 0;
  }
  if (memoryGb === undefined || !(memoryGb > 0)) {
    return 0;
  }
  const ratio = entry.memoryGb > memoryGb ? memoryGb / entry.memoryGb : entry.memoryGb / memoryGb;
  // Apple sells a chip with several amounts of memory, so only an exact match counts.
  if (entry.apple) {
    return ratio === 1 ? 0.5 : 0;
  }
  return 0.9 * ratio;
}

/** Names without a number, such as "Radeon Graphics" and "Arc Graphics". With a number they mean another device. */
const GENERIC_WORDS = new Set(["radeon", "arc"]);

/** Scores the matching words. Undefined if a core word is missing, or if the name is another device's. */
function scoreSpelling(read: DeviceName, tokens: readonly string[], core: readonly string[]): number | undefined {
  const at = indexOfRun(read.tokens, core);
  const inOrder = at >= 0;
  if (!inOrder && !core.every((word) => read.tokens.includes(word))) {
    return undefined;
  }
  const numbered = core.some((word) => /\d/.test(word));
  const namesNoModel = core.length === 1 && GENERIC_WORDS.has(core[0] as string);
  for (const [index, word] of read.tokens.entries()) {
    if (tokens.includes(word)) {
      continue;
    }
    if (namesNoModel && /\d/.test(word)) {
      return undefined;
    }
    const near = inOrder ? index >= at - 1 && index <= at + core.length + 1 : true;
    if (numbered && near && QUALIFIERS.has(word)) {
      return undefined;
    }
    if (word === "laptop" || word === "maxq") {
      return undefined;
    }
  }
  const matched = tokens.filter((word) => read.tokens.includes(word)).length;
  const longest = core.reduce((sum, word) => sum + word.length, 0);
  return matched * 10 + longest + (inOrder ? 5 : 0);
}

function indexOfRun(words: readonly string[], run: readonly string[]): number {
  for (let at = 0; at + run.length <= words.length; at++) {
    if (run.every((word, offset) => words[at + offset] === word)) {
      return at;
    }
  }
  return -1;
}

/** How many names an error suggests. */
const NEAREST = 3;

/** Lists the three names most similar to an unknown one, by shared pairs of letters. */
export function nearestDevices(read: DeviceName): string[] {
  const wanted = pairs(read.tokens.join(" "));
  const scored = new Map<string, number>();
  for (const { name } of catalog) {
    if (scored.has(name)) {
      continue;
    }
    const have = pairs(readDeviceName(name).tokens.join(" "));
    let shared = 0;
    for (const pair of wanted) {
      if (have.has(pair)) {
        shared++;
      }
    }
    scored.set(name, (2 * shared) / (wanted.size + have.size || 1));
  }
  return [...scored]
    .sort(([nameA, a], [nameB, b]) => b - a || (nameA < nameB ? -1 : 1))
    .slice(0, NEAREST)
    .map(([name]) => name);
}

function pairs(text: string): Set<string> {
  const padded = ` ${text} `;
  const found = new Set<string>();
  for (let at = 0; at + 1 < padded.length; at++) {
    found.add(padded.slice(at, at + 2));
  }
  return found;
}
