import { cardClass, type HardwareClass } from "../../../../hardware/index.ts";
import { isNegated } from "../text/negation.ts";
import { numberEndingAt } from "../text/numbers.ts";
import type { Rule } from "../text/phrases.ts";
import type { Text } from "../text/text.ts";
import type { Found } from "../wish.ts";
import { cardSeries, gluedCards, memoryOfCard, singleCards } from "./devices.ts";

/** The hardware that words name. */
interface HardwareFacts {
  hardwareClass?: HardwareClass;
  memoryGb?: number;
  device?: string;
}

/** Makes the wish for hardware. */
export const hardwareWish = (value: string, facts: HardwareFacts, from: number, to: number): Found => ({
  wish: { kind: "hardware", value, ...facts },
  from,
  to,
});

/** Makes the wish for a card: its class and its memory. */
export function cardWish(memoryGb: number, device: string | undefined, from: number, to: number): Found {
  const hardwareClass = cardClass(memoryGb);
  const value = device ?? `gpu-${Number(memoryGb.toPrecision(4))}gb`;
  return hardwareWish(value, { hardwareClass, memoryGb, ...(device !== undefined && { device }) }, from, to);
}

/** The rules for named cards. */
export const cardRules: readonly Rule[] = [
  {
    phrases: [`${cardSeries.join("|")} #|a750|a770|b580|a2000|a4000|a4500|a5000|a6000|rtx ti|super|xt|xtx|ada?`],
    unlessNegated: true,
    read: readCard,
  },
  { phrases: gluedCards, unlessNegated: true, read: readCard },
  {
    phrases: ["a|an|one|two|my|our|single|dual|2x|with|on 3060|3070|3080|3090|4060|4070|4080|4090|5070|5080|5090 ti?"],
    read: readBareCard,
  },
  {
    phrases: ["3060|3070|3080|3090|4060|4070|4080|4090|5070|5080|5090 ti?"],
    read: (text, from, to) =>
      /^(?:gpu|gpus|card|cards|laptop)$/.test(text.after(to)) || (text.startsSegment(from) && text.after(to) === "with")
        ? readBareCard(text, from - 1, to)
        : undefined,
  },
  { phrases: [singleCards.join("|")], unlessNegated: true, read: readServerCard },
];

function readCard(text: Text, from: number, to: number): Found | undefined {
  const name = spacedName(text, from, to);
  const card = name
    .split(" ")
    .slice(0, 3)
    .join(" ")
    .replace(/ (?:super|xtx?|ada)$/, "");
  const memoryGb =
    memoryOfCard(name === "rx 7900 xtx" ? "rtx 3090" : card) ?? memoryOfCard(card.split(" ").slice(0, 2).join(" "));
  if (memoryGb === undefined) {
    return undefined;
  }
  const count = countBefore(text, from);
  return cardWish(memoryGb * count.value, name.replaceAll(" ", "-"), count.from, to);
}

/** The name of a card with blanks between its parts: "rtx 3060" for "rtx3060", "rtx 3060 ti" for "RTX 3060 Ti". */
function spacedName(text: Text, from: number, to: number): string {
  const parts: string[] = [];
  for (let at = from; at <= to; at++) {
    parts.push(
      text
        .word(at)
        .replace(/^(rtx|gtx|rx)(\d)/, "$1 $2")
        .replace(/(\d)(ti)$/, "$1 $2"),
    );
  }
  return parts.join(" ");
}

function readBareCard(text: Text, from: number, to: number): Found | undefined {
  const next = text.after(to);
  if (next !== "" && !/^(?:gpu|gpus|card|with|and|or|for|in|is|at|that|laptop|box|server)$/.test(next)) {
    return undefined;
  }
  if (from >= 0 && isNegated(text, from, to)) {
    return undefined;
  }
  const name = `rtx ${spacedName(text, from + 1, to)}`;
  const memoryGb = memoryOfCard(name) ?? memoryOfCard(name.replace(/ ti$/, ""));
  if (memoryGb === undefined) {
    return undefined;
  }
  const count = /^(?:two|dual|2x)$/.test(text.word(from)) ? 2 : 1;
  return cardWish(
    memoryGb * count,
    name.replaceAll(" ", "-"),
    text.joined(from, to) ? Math.max(from, 0) : from + 1,
    to,
  );
}

/** Reads "an A100", "T4 GPU", "8x H100"; not the A40 motorway or the T4 vertebra. */
function readServerCard(text: Text, from: number, to: number): Found | undefined {
  const next = text.after(to);
  const before = text.before(from);
  const count = countBefore(text, from);
  const hinted =
    /^(?:gpus?|cards?|instances?|servers?|nodes?|40gb|80gb|tensor)$/.test(next) ||
    /^(?:nvidia|tesla|single|x|amd|instinct)$/.test(before) ||
    (text.word(from).length > 2 &&
      /^[ahvbm]\d|^l40s?$|^mi\d|^gh/.test(text.word(from)) &&
      !/^a(?:10|16|30|40)$/.test(text.word(from)) &&
      (/^(?:an?|one|on|with|our|two|using)$/.test(before) || text.isSegment(from, to) || count.value > 1));
  const gbAfter = /^\d+$/.test(next) && /^gbs?$/.test(text.word(to + 2));
  if (!hinted && !gbAfter) {
    return undefined;
  }
  const memoryGb = gbAfter ? Number(next) : memoryOfCard(text.word(from));
  if (memoryGb === undefined) {
    return undefined;
  }
  return cardWish(memoryGb * count.value, text.word(from), count.from, gbAfter ? to + 2 : to);
}

/** The number of cards, from "2x", "two" or "8 x" before the name; 1 without one. */
function countBefore(text: Text, from: number): { value: number; from: number } {
  const at = text.before(from) === "x" ? from - 2 : from - 1;
  if (!text.joined(at, from)) {
    return { value: 1, from };
  }
  const number = numberEndingAt(text, at);
  if (number === undefined || !(number.value >= 2 && number.value <= 16) || !Number.isInteger(number.value)) {
    return { value: 1, from };
  }
  return { value: number.value, from: number.from };
}
