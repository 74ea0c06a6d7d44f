import { readPriority } from "../priority.ts";
import { avoidRules, findUnwanted } from "./avoid.ts";
import { capabilityRules, unavailableRules } from "./capability.ts";
import { contextRules, mergeContexts } from "./context.ts";
import { domainRules } from "./domain.ts";
import { familyRules } from "./family.ts";
import { hardwareRules, mergeHardware } from "./hardware/hardware.ts";
import { languageRules, tagLanguageSides } from "./language.ts";
import { licenseRules, mergeLicenses } from "./license.ts";
import { privacyRules } from "./privacy.ts";
import { mergeSizes, sizeRules } from "./size.ts";
import { speedRules } from "./speed.ts";
import { findAll, indexRules } from "./text/phrases.ts";
import { Text } from "./text/text.ts";
import { type Found, type Wish, wishKinds } from "./wish.ts";

const index = indexRules([
  ...sizeRules,
  ...hardwareRules,
  ...licenseRules,
  ...languageRules,
  ...contextRules,
  ...speedRules,
  ...privacyRules,
  ...domainRules,
  ...avoidRules,
  ...capabilityRules,
  ...familyRules,
  ...unavailableRules,
]);

/** Functions that merge several wishes of one kind. */
const merges: readonly ((found: Found[], text: Text) => Found[])[] = [
  mergeSizes,
  mergeHardware,
  mergeLicenses,
  mergeContexts,
  tagLanguageSides,
];

/**
 * Finds the wishes of a description besides its task, in the order of its words. Pure and linear in the length.
 *
 * If the words of two wishes overlap, the wish with more words wins. Of equally many, the earlier words win, then the kind
 * that the contract names first. Only a priority may share its words with another wish ("fastest"). Each pair of kind and
 * value is returned once, with the first words that express it.
 */
export function readWishes(description: string): Wish[] {
  const text = new Text(description);
  let found = withoutOverlaps(findAll(text, index));
  for (const merge of merges) {
    if (found.length > 0) {
      found = merge(found, text);
    }
  }
  found = [...found, ...findUnwanted(text, found), ...readPriority(text)].sort((a, b) => a.from - b.from);
  const seen = new Set<string>();
  const wishes: Wish[] = [];
  for (const { wish, from, to } of found) {
    const key = `${wish.kind}:${wish.value}`;
    if (seen.has(key)) {
      continue;
    }
    seen.add(key);
    const start = text.tokens[from]?.start ?? 0;
    const words = description.slice(start, text.tokens[to]?.end ?? start);
    const { kind, value, ...constraint } = wish;
    wishes.push({ kind, value, words, ...constraint } as Wish);
  }
  return wishes;
}

function withoutOverlaps(found: Found[]): Found[] {
  if (found.length < 2) {
    return found;
  }
  const byStrength = found.toSorted(
    (a, b) =>
      b.to - b.from - (a.to - a.from) ||
      a.from - b.from ||
      wishKinds.indexOf(a.wish.kind) - wishKinds.indexOf(b.wish.kind),
  );
  const taken = new Set<number>();
  const kept: Found[] = [];
  for (const each of byStrength) {
    let free = true;
    for (let at = each.from; at <= each.to && free; at++) {
      free = !taken.has(at);
    }
    if (!free) {
      continue;
    }
    for (let at = each.from; at <= each.to; at++) {
      taken.add(at);
    }
    kept.push(each);
  }
  return kept.sort((a, b) => a.from - b.from);
}
