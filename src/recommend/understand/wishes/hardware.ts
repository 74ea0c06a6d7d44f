import { cardClass, type HardwareClass } from "../../../hardware/index.ts";
import { cardSeries, type DeviceWords, devices, gluedCards, memoryOfCard, singleCards } from "./devices.ts";
import { boundBefore } from "./text/bounds.ts";
import { isDismissedAfter, isNegated } from "./text/negation.ts";
import { byteUnits, gigabytesPerUnit, numberEndingAt, sizeText } from "./text/numbers.ts";
import { type Rule, words } from "./text/phrases.ts";
import type { Text } from "./text/text.ts";
import type { Found } from "./wish.ts";

const determiners = words(
  "a an the my our your their his her any every each this that one single some player user client local own people",
);
/** Words between "on a" and the device. */
const qualities = words(
  "old older cheap small ordinary normal standard regular modern typical mid range weak slow fast powerful plain basic own",
  "office home work personal gaming business windows linux apple intel amd android i5 i7 ryzen entry level low end new recent",
  "chrome firefox safari web single user client simple rugged staff average company developer smart 8gb 16gb",
);
/** Words for things that people do on a device while the model runs elsewhere. */
const recordings = words(
  "recorded taken shot captured made filmed snapped scanned film films filming call calls calling spoken talk talking speak photograph",
  "photographed video videos picture pictures photo photos image images audio recording recordings listen heard typed read",
  "reading receive received message messages typing chat seen see look looking watch sitting lying sleeping next beside cat",
  "stickers scratches cracks screenshot screenshots reviews review opinions information info ads advice used advertise",
  "type types click smoking driving clip clips strings dialogue conversation conversations voices voice shopping prices price sold sell selling selfies played play view viewed",
);
/** With one of these words after it, a device is a topic, and not where the model runs. */
const aboutDevice = words(
  "review reviews repair repairs shop shops store stores camera cameras picture pictures photo photos screen screens call",
  "calls calling line lines number numbers lidar video videos contract contracts menu announcements webcam keyboard keyboards",
  "stand brand brands price prices descriptions recordings conversation conversations quality images plug plugin extension",
  "extensions history tabs games game banking network operator provider plan plans user users bill bills assembly parts",
  "platform platforms robot robots base manipulator crane home homes library unit units strings factory manual manuals shot shots footage bookmarks book books support case cases fingerprint",
);

interface HardwareFacts {
  hardwareClass?: HardwareClass;
  memoryGb?: number;
  device?: string;
}

const wish = (value: string, facts: HardwareFacts, from: number, to: number): Found => ({
  wish: { kind: "hardware", value, ...facts },
  from,
  to,
});

/** Makes the wish for a card: its class and its memory. */
function cardWish(memoryGb: number, device: string | undefined, from: number, to: number): Found {
  const hardwareClass = cardClass(memoryGb);
  const value = device ?? `gpu-${Number(memoryGb.toPrecision(4))}gb`;
  return wish(value, { hardwareClass, memoryGb, ...(device !== undefined && { device }) }, from, to);
}

const cpu = (from: number, to: number): Found => wish("cpu", { hardwareClass: "cpu" }, from, to);

export const hardwareRules: readonly Rule[] = [
  ...devices.map(deviceRule),
  {
    phrases: ["in browser", "client side", "webgpu|wasm|webassembly", "transformers js"],
    read: (text, from, to) => {
      if (isNegated(text, from, to) || aboutDevice.has(text.after(to))) {
        return undefined;
      }
      return wish("browser", { hardwareClass: "cpu", memoryGb: 4, device: "browser" }, from, to);
    },
  },
  {
    phrases: ["on device"],
    read: (text, from, to) =>
      isNegated(text, from, to)
        ? undefined
        : wish("phone", { hardwareClass: "cpu", memoryGb: 4, device: "phone" }, from, to),
  },
  {
    phrases: [
      "no|without a|an|any? dedicated|discrete|strong|big|powerful|real|separate|fast? gpu|gpus|nvidia|cuda",
      "no|without a|an|any? dedicated|discrete|separate? graphics|video card|cards|hardware",
      "no|without need for? a|an|any? gpu|gpus",
      "not|don't|doesn't|doesnt|dont|needn't|no|mustn't require|need|have|want|rely|use on|for|to? have|use? a|an|any|the? gpu|gpus|cuda",
      "haven't|hasn't got? a|an|any? gpu|graphics card?",
      "don't|doesn't|dont have a|an|any? graphics card",
      "cpu only|inference|friendly|bound|based|hosting|server|servers",
      "only cpu|cpus",
      "gpu free|less",
      "gpuless",
      "integrated|onboard|intel graphics|gpu",
      "low cpu usage|load?",
    ],
    read: (_text, from, to) => cpu(from, to),
  },
  {
    phrases: ["gpu|gpus", "graphics card|cards"],
    read: (text, from, to) => (isDismissedAfter(text, to) ? cpu(from, dismissalEnd(text, to)) : undefined),
  },
  {
    phrases: ["cpu|cpus"],
    read: (text, from, to) => {
      if (
        isNegated(text, from, to) ||
        /^(?:temperature|design|logs?|reviews?|fans?|prices?|cooler)$/.test(text.after(to))
      ) {
        return undefined;
      }
      if (text.isSegment(from, to)) {
        return cpu(from, to);
      }
      const start = leadBefore(text, from);
      return start === undefined ? undefined : cpu(start, to);
    },
  },
  { phrases: [byteUnits], read: readMemory },
  {
    phrases: [`${cardSeries.join("|")} #|a750|a770|b580|a2000|a4000|a4500|a5000|a6000|rtx ti|super|xt|xtx|ada?`],
    read: readCard,
  },
  { phrases: gluedCards, read: readCard },
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
  { phrases: [singleCards.join("|")], read: readServerCard },
  { phrases: ["m1|m2|m3|m4|m5 pro|max|ultra|air?"], read: readAppleChip },
];

function deviceRule({ device, hardwareClass, memoryGb, phrases, unmistakable }: DeviceWords): Rule {
  return {
    phrases,
    read: (text, from, to) => {
      if (isNegated(text, from, to) || aboutDevice.has(text.after(to))) {
        return undefined;
      }
      const first = text.word(from);
      if ((first === "small" || first === "tiny" || first === "low") && !leadsBefore(text, from)) {
        return undefined;
      }
      const facts = { hardwareClass, ...(memoryGb !== undefined && { memoryGb }), device };
      const start = leadBefore(text, from);
      if (unmistakable) {
        return wish(device, facts, start ?? from, to);
      }
      if (start !== undefined && text.word(start) === "in" && !/^(?:browser|pc)$/.test(device)) {
        return undefined;
      }
      if (start === undefined) {
        return standsForDevice(text, device, from, to) ? wish(device, facts, from, to) : undefined;
      }
      return happensElsewhere(text, start) ? undefined : wish(device, facts, start, to);
    },
  };
}

const leadsBefore = (text: Text, from: number): boolean => leadBefore(text, from) !== undefined;

/**
 * Whether a device without "on" or "for" is still where the model runs: ", mobile,", "mobile app", "laptop with 8 GB".
 */
function standsForDevice(text: Text, device: string, from: number, to: number): boolean {
  const next = text.after(to);
  if (device !== "browser" && text.isSegment(from, to) && text.tokens.length > 1) {
    return true;
  }
  if (/^(?:app|apps)$/.test(text.word(to)) || (device === "phone" && /^apps?$/.test(next))) {
    return device === "phone";
  }
  if (/^(?:laptop|old-laptop|pc)$/.test(device) && next === "with") {
    return memoryOrCardFollows(text, to + 1);
  }
  if (/^(?:laptop|old-laptop|pc)$/.test(device) && next === "without") {
    return true;
  }
  if (text.word(from - 1) === "offline" && text.endsSegment(to)) {
    return true;
  }
  return /^(?:friendly|compatible|only|inference)$/.test(next);
}

function memoryOrCardFollows(text: Text, at: number): boolean {
  for (let next = at + 1; next <= at + 5 && text.tokens[next]?.gap === 0; next++) {
    const word = text.word(next);
    if (/^(?:gpu|ram|vram|memory|graphics|rtx|gtx|gb|no|gigs?)$/.test(word)) {
      return true;
    }
  }
  return false;
}

/** The first token of "on my old", "for a" or "in the" right before the device; undefined without such words. */
function leadBefore(text: Text, from: number): number | undefined {
  let at = from - 1;
  let steps = 0;
  while (at >= 0 && steps < 6 && text.tokens[at + 1]?.gap === 0) {
    const word = text.word(at);
    if (word === "for" && text.word(at - 1) === "looking") {
      return undefined;
    }
    if (word === "on" || word === "onto" || word === "for" || word === "in" || word === "inside" || word === "via") {
      return at;
    }
    if (
      word === "runs" ||
      word === "run" ||
      word === "running" ||
      word === "works" ||
      word === "target" ||
      word === "targeting"
    ) {
      return at + 1;
    }
    if (!determiners.has(word) && !qualities.has(word) && !/^(?:gb|ram|\d+)$/.test(word)) {
      return undefined;
    }
    at--;
    steps++;
  }
  return undefined;
}

/** Whether the words before name something that people do on the device: "photos taken on a phone". */
function happensElsewhere(text: Text, start: number): boolean {
  const lead = text.word(start);
  for (let at = start - 1; at >= 0 && at >= start - 4; at--) {
    if (text.tokens[at + 1]?.gap === 2) {
      return false;
    }
    const word = text.word(at);
    if (/^(?:runs?|running|works?|local|locally|model|deploy|deployed|offline|inference|fits?)$/.test(word)) {
      return false;
    }
    // "Chat on my laptop", "a chat bot on my phone": the model chats there.
    const isForModel = /^(?:chat|talk)$/.test(word) && (at === 0 || /^(?:bots?|assistant|model)$/.test(text.after(at)));
    if (recordings.has(word) && !isForModel) {
      return lead !== "for" || at === start - 1;
    }
  }
  return false;
}

/** The last token of "is not needed" or "not required" after a word. */
function dismissalEnd(text: Text, to: number): number {
  let at = to;
  while (at < to + 6 && text.after(at) !== "") {
    at++;
    if (/^(?:needed|required|necessary|optional|unnecessary|available)$/.test(text.word(at))) {
      return at;
    }
  }
  return to;
}

/** Reads "8 GB GPU", "24GB of VRAM", "16 GB RAM", "laptop with 8 GB", "GPU with 6 GB". */
function readMemory(text: Text, from: number): Found | undefined {
  const number = text.tokens[from]?.gap === 0 ? numberEndingAt(text, from - 1) : undefined;
  if (number === undefined) {
    return undefined;
  }
  const memoryGb = Number((number.value * (gigabytesPerUnit[text.word(from)] ?? 0)).toPrecision(6));
  if (!(memoryGb > 0 && memoryGb <= 4000)) {
    return undefined;
  }
  const bound = boundBefore(text, number.from);
  const start = bound?.from ?? number.from;
  const noun = memoryNounAfter(text, from);
  const isCard = noun?.card ?? cardBefore(text, start);
  if (noun === undefined && isCard === undefined && !computerBefore(text, start)) {
    return undefined;
  }
  const to = noun?.to ?? from;
  if (isCard === true) {
    return cardWish(memoryGb, undefined, start, to);
  }
  const facts: HardwareFacts = { ...(noun?.unified ? { hardwareClass: "apple-silicon" } : {}), memoryGb };
  return wish(`${sizeText(memoryGb)} memory`, facts, start, to);
}

/** The noun for memory after a figure, and whether it is the memory of a card. */
function memoryNounAfter(text: Text, at: number): { to: number; card: boolean; unified?: true } | undefined {
  let card = false;
  for (let next = at + 1; next <= at + 5 && text.tokens[next]?.gap === 0; next++) {
    const word = text.word(next);
    if (/^(?:vram|hbm)$/.test(word)) {
      return { to: next, card: true };
    }
    if (/^(?:gpu|gpus)$/.test(word)) {
      const memory = text.after(next);
      return { to: memory === "memory" || memory === "ram" ? next + 1 : next, card: true };
    }
    if (/^(?:card|cards)$/.test(word)) {
      return { to: next, card: true };
    }
    if (/^(?:graphics|video|nvidia|cuda|dedicated)$/.test(word)) {
      card = true;
    } else if (word === "unified") {
      const memory = text.after(next);
      return { to: memory === "memory" || memory === "ram" ? next + 1 : next, card: false, unified: true };
    } else if (/^(?:ram|memory|ddr4|ddr5)$/.test(word)) {
      return { to: next, card };
    } else if (/^(?:laptop|notebook|pc|computer|machine|server|phone|tablet)$/.test(word) && next === at + 1) {
      return { to: at, card: false };
    } else if (!/^(?:of|the|or|less|max|free|available|system|main|shared|working|unified|our|my|single)$/.test(word)) {
      return undefined;
    }
  }
  return undefined;
}

/** True for "GPU with 8 GB" and "a card with only 6 GB"; undefined when no card comes before. */
function cardBefore(text: Text, start: number): true | undefined {
  for (let at = start - 1; at >= 0 && at >= start - 4; at--) {
    if (text.tokens[at + 1]?.gap === 2) {
      return undefined;
    }
    const word = text.word(at);
    if (/^(?:gpu|gpus|vram|card|nvidia|cuda)$/.test(word)) {
      return text.word(at - 1) === "no" || text.word(at - 1) === "without" ? undefined : true;
    }
    if (!/^(?:with|of|has|having|only|just|a|an|memory|is|our|the|at|ti)$/.test(word)) {
      return undefined;
    }
  }
  return undefined;
}

function computerBefore(text: Text, start: number): boolean {
  const withWord = text.before(start);
  if (!/^(?:with|has|having|only|just)$/.test(withWord)) {
    return /^(?:ram|memory|macbook|m[1-5]|mini)$/.test(withWord);
  }
  for (let at = start - 2; at >= 0 && at >= start - 5 && text.tokens[at + 1]?.gap === 0; at--) {
    if (
      /^(?:laptop|laptops|notebook|pc|computer|computers|machine|macbook|mac|mini|server|phone|tablet|pi|jetson|desktop|box|air|m[1-5]|board|workstation)$/.test(
        text.word(at),
      )
    ) {
      return true;
    }
    if (!/^(?:with|has|having|only|just|pro|max|4|5|that)$/.test(text.word(at))) {
      return false;
    }
  }
  return false;
}

function readCard(text: Text, from: number, to: number): Found | undefined {
  if (isNegated(text, from, to)) {
    return undefined;
  }
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
  if ((!hinted && !gbAfter) || isNegated(text, from, to)) {
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

function readAppleChip(text: Text, from: number, to: number): Found | undefined {
  const before = text.before(from);
  const next = text.after(to);
  if (isNegated(text, from, to) || before === "the" || (before >= "0" && before < ":")) {
    return undefined;
  }
  const hinted =
    to > from ||
    /^(?:apple|macbook|mac|mini|chip|air|pro|imac)$/.test(before) ||
    /^(?:mac|macbook|chip|processor|mini|imac|silicon)$/.test(next) ||
    (/^(?:on|my|an|our|with)$/.test(before) &&
      !/^(?:motorway|highway|money|supply|road|junction|screws?|bolts?|line)$/.test(next));
  if (!hinted) {
    return undefined;
  }
  const start = leadBefore(text, from) ?? from;
  return wish("apple-silicon", { hardwareClass: "apple-silicon", device: "mac" }, start, to);
}

/**
 * Merges the wishes for hardware. A figure for memory joins the device that it belongs to. A card, named or as a
 * figure, replaces "laptop" and "RAM" beside it.
 */
export function mergeHardware(found: Found[]): Found[] {
  const hardware = found.filter(({ wish }) => wish.kind === "hardware");
  if (hardware.length < 2) {
    return found;
  }
  const isCard = ({ wish }: Found) =>
    wish.kind === "hardware" && /^(?:gpu-\d|rtx|gtx|rx|arc|titan|[a-z]{1,2}\d)/.test(wish.value);
  const isGeneral = ({ wish }: Found) =>
    wish.kind === "hardware" && /^(?:laptop|old-laptop|pc|single-gpu|gaming-pc|.* memory)$/.test(wish.value);
  const dropped = new Set<Found>();
  const cards = hardware.filter(isCard);
  if (cards.length > 0) {
    for (const each of hardware) {
      if (isGeneral(each)) {
        dropped.add(each);
      }
    }
  }
  // "RTX 3090 with 24 GB", "A100 80GB": the figure wins over the name.
  const figures = cards.filter(({ wish }) => wish.value.startsWith("gpu-"));
  if (figures.length > 0) {
    for (const each of cards) {
      if (!figures.includes(each)) {
        dropped.add(each);
      }
    }
  }
  const merged = new Map<Found, Found>();
  for (const each of hardware) {
    if (dropped.has(each) || each.wish.kind !== "hardware" || !each.wish.value.endsWith(" memory")) {
      continue;
    }
    const host = hardware.find(
      (other) =>
        other !== each &&
        !dropped.has(other) &&
        other.wish.kind === "hardware" &&
        !other.wish.value.endsWith(" memory"),
    );
    if (host === undefined || host.wish.kind !== "hardware") {
      continue;
    }
    merged.set(host, { ...host, wish: { ...host.wish, memoryGb: each.wish.memoryGb } });
    dropped.add(each);
  }
  // An Apple machine beside "laptop" is that laptop.
  if (hardware.some(({ wish }) => wish.kind === "hardware" && wish.hardwareClass === "apple-silicon")) {
    for (const each of hardware) {
      if (/^(?:laptop|pc)$/.test(each.wish.value)) {
        dropped.add(each);
      }
    }
  }
  return found.filter((each) => !dropped.has(each)).map((each) => merged.get(each) ?? each);
}
