import { boundBefore } from "../text/bounds.ts";
import { gigabytesPerUnit, numberEndingAt, sizeText } from "../text/numbers.ts";
import { type Text, words } from "../text/text.ts";
import type { Found } from "../wish.ts";
import { cardFigureWish, hardwareWish } from "./cards.ts";

/** Reads "8 GB GPU", "24GB of VRAM", "16 GB RAM", "laptop with 8 GB", "GPU with 6 GB". */
export function readMemory(text: Text, from: number): Found | undefined {
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
  if (noun === undefined && isCard === undefined && !isOfComputer(text, start, from)) {
    return undefined;
  }
  const to = noun?.to ?? from;
  if (isCard === true) {
    const count = /^(?:cards|gpus)$/.test(text.word(to)) ? numberEndingAt(text, start - 1) : undefined;
    const cards = count !== undefined && count.value >= 2 && count.value <= 16 ? count : { value: 1, from: start };
    return cardFigureWish(memoryGb * cards.value, cards.from, to);
  }
  const facts = noun?.unified ? ({ hardwareClass: "apple-silicon", memoryGb } as const) : { memoryGb };
  return hardwareWish(`${sizeText(memoryGb)} memory`, facts, start, to);
}

const computerNouns = words(
  "laptop notebook pc computer machine server phone tablet mac macbook imac ipad chromebook nuc box vm vps pi workstation instance",
);

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
    } else if (next === at + 1 && computerNouns.has(word)) {
      return { to: at, card: false };
    } else if (!/^(?:of|the|or|less|max|free|available|system|main|shared|working|unified|our|my|single)$/.test(word)) {
      return undefined;
    }
  }
  return undefined;
}

/** True for "GPU with 8 GB" and "a card with only 6 GB"; undefined when no card comes before. */
function cardBefore(text: Text, start: number): true | undefined {
  for (let at = start - 1; at >= 0 && at >= start - 5; at--) {
    if (text.tokens[at + 1]?.gap === 2) {
      return undefined;
    }
    const word = text.word(at);
    if (/^(?:gpu|gpus|vram|card|cards|nvidia|cuda|quadro|geforce|radeon)$/.test(word)) {
      return /^(?:no|without)$/.test(text.word(at - 1)) ? undefined : true;
    }
    if (!/^(?:with|of|has|having|only|just|a|an|memory|is|our|the|at|ti|[a-z]?\d{3,4})$/.test(word)) {
      return undefined;
    }
  }
  return undefined;
}

/** Things whose memory a figure without a noun can be. */
const computers = words(
  "laptop laptops notebook notebooks pc pcs computer computers machine machines macbook macbooks mac macs mini server servers phone",
  "phones tablet tablets ipad iphone pi pis jetson desktop desktops box boxes air m1 m2 m3 m4 m5 board boards workstation chromebook",
  "chromebooks nas vps vm core cores celeron arm xeon i5 i7 n100 controller smartphone handheld handhelds kiosk nuc cpu cpus android",
  "ram memory studio device devices instance instances runner runners soc npu rk3588 epyc epycs threadripper opteron ryzen",
);
/** Things on a disk, or sent over a network. */
const stored = words(
  "ssd disk disks storage hdd files file data dataset datasets logs log text texts images pictures video videos download downloads",
  "traffic index archive archives corpus documents pdfs model models weights checkpoint package app limit size big large day month",
);
const SPAN = 10;
/** The most words of a need like "roleplay model 24gb". */
const MOST_OF_SHORT = 10;

/** Whether the figure is the memory of a computer in the same sentence, or alone: "Celeron, 4 GB", "self-hosted, 16 GB". */
function isOfComputer(text: Text, start: number, unit: number): boolean {
  const next = text.after(unit);
  if (stored.has(next) || (next === "of" && !/^(?:ram|memory|it)$/.test(text.word(unit + 2)))) {
    return false;
  }
  const isShort = text.tokens.length <= MOST_OF_SHORT;
  for (let at = start - 1; at >= 0 && at >= start - SPAN && text.tokens[at + 1]?.gap !== 2; at--) {
    const word = text.word(at);
    // In "coding model 12gb" the figure is the memory of a machine.
    const isModelOfSearch = isShort && at === start - 1 && /^models?$/.test(word);
    if (stored.has(word) && !isModelOfSearch) {
      return false;
    }
    if (computers.has(word)) {
      return true;
    }
  }
  const figure = numberEndingAt(text, unit - 1);
  const isPlain = figure !== undefined && figure.from === start && figure.value >= 2 && /^gi?b$/.test(text.word(unit));
  return isPlain && text.endsSegment(unit) && (isShort || text.startsSegment(start)) && text.before(start) !== "for";
}
