import {
  cardClass,
  cardWords,
  classOf,
  findCard,
  type HardwareClass,
  type HardwareFields,
} from "../../../../hardware/index.ts";
import { isNegated } from "../text/negation.ts";
import { numberEndingAt, type TextNumber } from "../text/numbers.ts";
import type { Rule } from "../text/phrases.ts";
import { type Text, words } from "../text/text.ts";
import type { Found } from "../wish.ts";

/** The hardware that words name. */
interface HardwareFacts {
  hardwareClass?: HardwareClass;
  memoryGb?: number;
  device?: string;
  machine?: HardwareFields;
}

/** Makes the wish for hardware. */
export const hardwareWish = (value: string, facts: HardwareFacts, from: number, to: number): Found => ({
  wish: { kind: "hardware", value, ...facts },
  from,
  to,
});

/** Makes the wish for a card of which only the memory is known. @param memoryGb of all cards together. */
export function cardFigureWish(memoryGb: number, from: number, to: number): Found {
  const figure = Number(memoryGb.toPrecision(4));
  const hardwareClass = cardClass(memoryGb);
  const facts = { hardwareClass, memoryGb, machine: cardOfMemory(figure) };
  return hardwareWish(`gpu-${figure}gb`, facts, from, to);
}

/**
 * The bandwidth in GB/s of a common card with at most so much memory: RTX 4060, RTX 3060, RTX 5060 Ti, RTX 3090,
 * RTX A6000, A100 (their rows in the tables of devices).
 */
const usualBandwidths: ReadonlyArray<readonly [memoryGb: number, bandwidthGbS: number]> = [
  [8, 272],
  [12, 360],
  [16, 448],
  [32, 936],
  [48, 768],
  [Infinity, 2039],
];

/** A card of which only the memory is known. The reference cards of the classes stand for 8 and for 24 GB. */
function cardOfMemory(memoryGb: number): HardwareFields | undefined {
  if (memoryGb === 8 || memoryGb === 24) {
    return undefined;
  }
  const [, memoryBandwidthGbS] = usualBandwidths.find(([most]) => memoryGb <= most) as readonly [number, number];
  return { gpuName: `${memoryGb} GB graphics card`, memoryGb, memoryBandwidthGbS };
}

/** Names without a series that are also names of roads, vertebrae or hormones: T4, L4, A10. */
const AMBIGUOUS = /^[a-z]\d{1,2}$/;
/** Words before a name or number that mean one or more cards. */
const cardLeads = words(
  "a an one two three four six eight my our your single dual 2x 4x 8x on with per using nvidia tesla colab kaggle free rented shared",
  "cheap spare old own used x or amd quadro an extra",
);
/** Words before a bare number after which it can only be a card: "a 3060 can". */
const articles = words("a an one single dual two three four 2x old used spare rented shared own");
/** If one of these words follows a bare number, it is a count or a measure. */
const counted = words(
  "word words page pages character characters token tokens char chars year years m km meter meters metre metres mm px pixel",
  "pixels x by hz khz mah ah watt watts w kg g people users images files documents minute minutes hours day days dollars euros",
);
/** The same after a number at the start of a search: "4090 pages ocr". */
const countedFirst = words(
  "p k fps rows row records lines items tickets emails mails reviews products songs photos pictures videos calls pdfs scans articles",
  "books samples labels classes sentences messages comments tweets posts customers invoices contracts letters forms chunks examples",
);
/** The most words of a search that may begin or end with a bare number of a card, and of one that has it in between. */
const MOST_OF_SEARCH = 10;
const MOST_AROUND = 5;
/** Numbers of cards that are rarely years or resolutions: 3050 to 5090. */
const PLAIN_NUMBER = /^[345]0[5-9]0$/;
/** Words of searches for models. Beside one of them, an ambiguous name at the start is a card. */
const modelWords = words("llm llms model models ai gguf vram inference local gpu");
/** Words that may follow a bare number after "my", "on" or "with". */
const followers = words(
  "gpu gpus card cards with and or for in is at that which laptop box server within to while so but if alone only here too please as",
  "by from when of overnight locally can has will would should must each because since not no graphics it ti super",
);
/** If one of these words follows an ambiguous name, it is something else. */
const otherNouns = words(
  "vertebra vertebrae disc discs level levels spine nerve root hormone hormones thyroid cell cells count counts lymphocytes paper",
  "sheet sheets page pages format size envelope poster print prints phone chip bionic motorway road highway junction exit level",
  "syndrome test tests blood steel bulb tube tubes landscape portrait booklet",
);
/** If one of these words is in the text, ambiguous names are not cards. */
const otherTopics = words(
  "vertebra vertebrae vertebral lumbar thoracic spine spinal thyroid tsh cd4 lymphocytes motorway motorways highway highways autobahn",
);
/** Words that belong to a card's name after its number. */
const suffixes = words(
  "ti super xt xtx gre ada pro laptop mobile sff max blackwell rtx vii nvl pcie sxm sxm4 sxm5 a b m d",
);
/** Part of a card's name with a number: 3060, a2000, b580, k2200. */
const NUMBERED = /^[a-z]{0,2}\d{3,4}[a-z]{0,3}$/;

/** The card of the instance families of a large cloud, and their number in the largest ones. */
const instances: Readonly<Record<string, readonly [card: string, count: number]>> = {
  g4dn: ["t4", 1],
  g5: ["a10g", 1],
  g6: ["l4", 1],
  g6e: ["l40s", 1],
  p4d: ["a100", 8],
  p5: ["h100", 8],
};

/** The rules for named cards. */
export const cardRules: readonly Rule[] = [
  { phrases: [cardWords.series.join("|")], unlessNegated: true, read: readSeries },
  { phrases: [variants(cardWords.glued)], unlessNegated: true, read: readSeries },
  { phrases: [variants(cardWords.numbers)], unlessNegated: true, read: readNumber },
  {
    phrases: [cardWords.numbers.flatMap((number) => [`x${number}ti`, `${number}ti`]).join("|")],
    unlessNegated: true,
    read(text, from, to) {
      const number = text.word(from).replace(/^x|ti$/g, "");
      return cardAt(text, `${seriesOf(number)[0]} ${number} ti`, from, to);
    },
  },
  {
    phrases: [`${cardWords.radeonNumbers.join("|")} xt|xtx`],
    unlessNegated: true,
    read: (text, from, to) => cardAt(text, `rx ${text.word(from)} ${text.word(to)}`, from, to),
  },
  { phrases: [variants(cardWords.singles)], unlessNegated: true, read: readSingle },
  { phrases: ["dgx|hgx"], unlessNegated: true, read: readNode },
  { phrases: ["colab|kaggle"], unlessNegated: true, read: readColab },
  { phrases: [Object.keys(instances).join("|")], unlessNegated: true, read: readInstance },
];

/** Words as a phrase, each also in the plural and after "x": t4, t4s, xt4. */
function variants(names: readonly string[]): string {
  return names.flatMap((name) => [name, `${name}s`, `x${name}`]).join("|");
}

/** A word without the "x" before it and the plural's "s" after it. */
function plainName(word: string, names: ReadonlySet<string>): string {
  const plain = word.startsWith("x") && !names.has(word) ? word.slice(1) : word;
  return names.has(plain) ? plain : plain.replace(/s$/, "");
}

const numbers = new Set(cardWords.numbers);
const singles = new Set(cardWords.singles);
const glued = new Set(cardWords.glued);

/** Reads "RTX 3060 Ti", "Quadro K2200 4 GB", "rtx4090". */
function readSeries(text: Text, from: number, to: number): Found | undefined {
  let end = to;
  const parts = [plainName(text.word(from), glued)];
  let hasNumber = /\d/.test(parts[0] as string);
  for (let at = to + 1; at <= to + 5; at++) {
    const word = text.after(at - 1);
    const isNumber = NUMBERED.test(word) && !hasNumber;
    if (!isNumber && !suffixes.has(word)) {
      break;
    }
    hasNumber ||= isNumber;
    parts.push(isNumber ? word.replace(/(\d)s$/, "$1") : word);
    end = at;
  }
  for (; parts.length > 0; parts.pop(), end--) {
    const name = parts.join(" ");
    const full = /\d|vii|titan/.test(name) ? ["", " ada", " xt"].find((end) => findCard(name + end)) : undefined;
    if (full !== undefined) {
      return cardAt(text, name, from, end, name + full);
    }
  }
  return undefined;
}

/** Reads "a 3060", "my 1080 Ti", "one 3060 12 GB", "4090," and "3090 coding", but no counts such as "2,080 pages". */
function readNumber(text: Text, from: number, to: number): Found | undefined {
  const before = text.before(from);
  const number = plainName(text.word(from), numbers);
  // "4090s" is two tokens.
  const isPlural = text.after(to) === "s";
  const next = text.after(isPlural ? to + 1 : to);
  const isSuffix = next === "ti" || next === "super";
  const end = to + Number(isPlural) + Number(isSuffix);
  const hasMemory = memoryAfter(text, end) !== undefined || memoryBefore(text, from) !== undefined;
  const isAlone = text.endsSegment(end) && (text.startsSegment(from) || isPlural);
  const isLed = articles.has(before)
    ? !counted.has(next)
    : cardLeads.has(before) && (next === "" || followers.has(next));
  const isCard = /^(?:gpu|gpus|card|cards|laptop|super)$/.test(next) || isSuffix;
  const isCounted = countBefore(text, from).value > 1 && !counted.has(next) && !countedFirst.has(next);
  const isSearched =
    PLAIN_NUMBER.test(number) &&
    text.tokens.length <= MOST_OF_SEARCH &&
    !counted.has(next) &&
    !countedFirst.has(next) &&
    (text.endsSegment(end) || text.startsSegment(from) || text.tokens.length <= MOST_AROUND);
  const startsWith = text.startsSegment(from) && next === "with";
  if (!hasMemory && !isAlone && !isLed && !isCard && !startsWith && !isCounted && !isSearched) {
    return undefined;
  }
  const suffix = isSuffix ? ` ${next}` : "";
  const name = seriesOf(number)
    .map((series) => `${series} ${number}${suffix}`)
    .find((each) => findCard(each) !== undefined);
  const plain = seriesOf(number)
    .map((series) => `${series} ${number}`)
    .find((each) => findCard(each) !== undefined);
  const known = name ?? plain;
  return known === undefined ? undefined : cardAt(text, known, from, end);
}

/** The likelier series of a number first: GTX until the 16 series. */
const seriesOf = (number: string): readonly string[] => (/^[179]/.test(number) ? ["gtx", "rtx"] : ["rtx", "gtx"]);

/** Reads "an A100", "four T4s", "8xH100"; not the A40 motorway or the T4 vertebra. */
function readSingle(text: Text, from: number, to: number): Found | undefined {
  const name = plainName(text.word(from), singles);
  if (AMBIGUOUS.test(name)) {
    const next = text.after(to);
    const before = text.before(from);
    const isLed =
      cardLeads.has(before) ||
      (before === "the" && /^[tl]4$/.test(name)) ||
      countBefore(text, from).value > 1 ||
      /^(?:gpus?|cards?|instances?|servers?|nodes?|colab|kaggle)$/.test(next) ||
      memoryAfter(text, to) !== undefined ||
      text.word(from) === `${name}s` ||
      (text.startsSegment(from) &&
        text.tokens.length <= MOST_OF_SEARCH &&
        text.tokens.some(({ word }) => modelWords.has(word))) ||
      (/^[tl]4$/.test(name) ? text.endsSegment(to) : text.isSegment(from, to));
    if (!isLed || otherNouns.has(next) || text.tokens.some(({ word }) => otherTopics.has(word))) {
      return undefined;
    }
  }
  return cardAt(text, name, from, to);
}

/** The cards of a node by NVIDIA. */
const CARDS_OF_NODE = 8;
/** The most cards of one machine, as the estimates have it. */
const MOST_CARDS = 16;

/** Reads "DGX with 8 B200" as its cards, and "a DGX" as one with eight H100. "DGX Spark" is another device. */
function readNode(text: Text, from: number, to: number): Found | undefined {
  const namesCards = text.tokens.some(({ word }) => singles.has(plainName(word, singles)));
  return namesCards || text.after(to) === "spark" || text.after(to) === "station"
    ? undefined
    : wishFor("h100", CARDS_OF_NODE, undefined, text.word(from), from, to);
}

/** A notebook in the cloud. It counts only if no other hardware is named. */
export const COLAB = "colab";

/** The free tier of both has a T4. */
function readColab(text: Text, from: number, to: number): Found | undefined {
  const namesCard = text.tokens.some(({ word }) => singles.has(plainName(word, singles)));
  return namesCard ? undefined : wishFor("t4", 1, undefined, COLAB, from, to);
}

/** Reads "g5.xlarge". */
function readInstance(text: Text, from: number): Found | undefined {
  const instance = instances[text.word(from)];
  const isSized = /^(?:\d+)?x?large$/.test(text.word(from + 1)) || text.after(from) === "instance";
  if (instance === undefined || !isSized) {
    return undefined;
  }
  const [card, count] = instance;
  return wishFor(card, count, undefined, card, from, from + 1);
}

/** Makes the wish for a known card at these tokens, with the figure for its memory and the number before it. */
function cardAt(text: Text, name: string, from: number, to: number, full = name): Found | undefined {
  if (isNegated(text, from, to)) {
    return undefined;
  }
  const after = memoryAfter(text, to);
  const before = after === undefined ? memoryBefore(text, from) : undefined;
  const count = countBefore(text, before?.at ?? from);
  const end = after?.at ?? to;
  const node = /^[abh]\d{3}$|^mi/.test(name) ? text.after(end) : "";
  const isNode = node === "nodes" ? count.value < CARDS_OF_NODE : node === "node" && count.value === 1;
  const cards = Math.min(MOST_CARDS, count.value * (isNode ? CARDS_OF_NODE : 1));
  return wishFor(full, cards, (after ?? before)?.gb, slugOf(name), count.from, end);
}

const slugOf = (name: string) =>
  name
    .replace(/^(rtx|gtx|rx)(\d)/, "$1 $2")
    .replace(/(\d)(ti)\b/, "$1 $2")
    .replaceAll(" ", "-");

/** Makes the wish for cards of the tables; undefined if they have none of this name. */
function wishFor(
  name: string,
  count: number,
  memoryGb: number | undefined,
  slug: string,
  from: number,
  to: number,
): Found | undefined {
  const card = findCard(name);
  if (card === undefined) {
    return undefined;
  }
  const machine: HardwareFields = {
    gpuName: name,
    ...(count > 1 && { gpuCount: count }),
    ...(memoryGb !== undefined && { memoryGb }),
  };
  const sold = memoryGb ?? card.memoryGb;
  const hardwareClass = card.kind === "gpu" ? cardClass(sold * count) : classOf(card);
  return hardwareWish(slug, { hardwareClass, memoryGb: sold * count, device: slug, machine }, from, to);
}

/** The memory after a card's name: "80GB", "with 6 GB of VRAM", "(24 GB)". */
function memoryAfter(text: Text, to: number): { gb: number; at: number } | undefined {
  let at = to + 1;
  while (
    at <= to + 3 &&
    /^(?:with|has|of|pcie|gpu|gpus|card|cards|laptop|a|the)$/.test(text.word(at)) &&
    text.tokens[at]?.gap !== 2
  ) {
    at++;
  }
  const gap = text.tokens[at]?.gap;
  const bracketed = gap === 1 && /[(,]/.test(text.between(at));
  const number = gap === 0 || bracketed ? numberEndingAt(text, at) : undefined;
  const unit = text.after(at);
  if (!isOfCard(number) || !/^(?:gb|gbs|gib|gigs?)$/.test(unit) || isSystemMemory(text, at + 1)) {
    return undefined;
  }
  const last = /^(?:vram|memory|hbm)$/.test(text.after(at + 1)) ? at + 2 : at + 1;
  return { gb: number.value, at: last };
}

/** Whether the unit at a position is followed by "RAM": "a 3060 and 32 GB RAM" names the memory of the computer. */
const isSystemMemory = (text: Text, at: number) =>
  /^(?:ram|ddr4|ddr5|system|disk|ssd)$/.test(text.after(text.after(at) === "of" ? at + 1 : at));

/** The memory before a card's name: "16 GB 4060 Ti". */
function memoryBefore(text: Text, from: number): { gb: number; at: number } | undefined {
  if (!/^(?:gb|gib)$/.test(text.before(from))) {
    return undefined;
  }
  const number = text.tokens[from - 1]?.gap === 0 ? numberEndingAt(text, from - 2) : undefined;
  return isOfCard(number) ? { gb: number.value, at: number.from } : undefined;
}

/** The most gigabytes of one card; the largest has a tenth. */
const MOST_CARD_GB = 4000;

const isOfCard = (number: TextNumber | undefined): number is TextNumber =>
  number !== undefined && number.value > 0 && number.value <= MOST_CARD_GB;

/** Cards in a group without a number. A cluster or a rack is taken to have at least a node of eight. */
const groups: Readonly<Record<string, number>> = {
  pair: 2,
  cluster: 8,
  clusters: 8,
  rack: 8,
  racks: 8,
  node: 8,
  dozen: 12,
};

/** The number of cards, from "2x", "two", "8 x" or "a pair of" before the name; 1 without one. */
function countBefore(text: Text, from: number): { value: number; from: number } {
  const one = { value: 1, from };
  const group = text.before(from) === "of" ? groups[text.word(from - 2)] : undefined;
  if (group !== undefined) {
    return { value: group, from: from - 2 };
  }
  const hasSign = text.before(from) === "x";
  const at = hasSign ? from - 2 : from - 1;
  const isTimes = !hasSign && /^\s*×\s*$/.test(text.between(from));
  if (!isTimes && !text.joined(at, from)) {
    return one;
  }
  const number = numberEndingAt(text, at);
  if (number === undefined || !(number.value >= 2 && number.value <= MOST_CARDS) || !Number.isInteger(number.value)) {
    return one;
  }
  return { value: number.value, from: number.from };
}
