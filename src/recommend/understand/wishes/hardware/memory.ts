import { boundBefore } from "../text/bounds.ts";
import { gigabytesPerUnit, numberEndingAt, sizeText } from "../text/numbers.ts";
import type { Text } from "../text/text.ts";
import type { Found } from "../wish.ts";
import { cardWish, hardwareWish } from "./cards.ts";

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
  if (noun === undefined && isCard === undefined && !computerBefore(text, start)) {
    return undefined;
  }
  const to = noun?.to ?? from;
  if (isCard === true) {
    return cardWish(memoryGb, undefined, start, to);
  }
  const facts = noun?.unified ? ({ hardwareClass: "apple-silicon", memoryGb } as const) : { memoryGb };
  return hardwareWish(`${sizeText(memoryGb)} memory`, facts, start, to);
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
