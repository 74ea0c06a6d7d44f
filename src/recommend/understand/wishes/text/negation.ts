import { type Text, words } from "./text.ts";

/** Words that negate the words after them. */
const negators = words(
  "no not without never neither nor cannot avoid except excluding non",
  "don't doesn't didn't isn't aren't won't can't needn't mustn't shouldn't wouldn't wasn't haven't hasn't",
  "dont doesnt isnt arent wont cant neednt",
);

/** Words that may stand between the negator and the thing: "doesn't really need to be fast". */
const bridges = words(
  "a an any the need needs needed to be have has having necessarily really very particularly especially that this it",
  "require requires required must use uses using for of want wants wish wishes care about run runs work works super",
  "so too terribly all is are or in on much looking seeking only particular requirement requirements i we you",
);

/** Words that dismiss a wish after a negator: "is not needed", "doesn't matter". */
const unimportant = words(
  "needed required necessary important matter essential issue priority concern crucial critical needed relevant problem",
  "wanted mandatory must requirement allowed",
);

/**
 * Whether the words at `from` to `to` do not matter or are not wanted: "doesn't need to be fast",
 * "not in German", "real time not needed", "size doesn't matter". "Not only fast" is no negation.
 */
export function isNegated(text: Text, from: number, to: number): boolean {
  return negatorBefore(text, from) !== undefined || isDismissedAfter(text, to);
}

/** The position of the negator of the word at `from`, with at most six bridging words between. */
export function negatorBefore(text: Text, from: number): number | undefined {
  for (let at = from - 1; at >= 0 && at >= from - 7; at--) {
    if (text.tokens[at + 1]?.gap !== 0) {
      return undefined;
    }
    const word = text.word(at);
    if (negators.has(word)) {
      const next = text.word(at + 1);
      return next === "only" || next === "just" || next === "merely" ? undefined : at;
    }
    if (!bridges.has(word)) {
      return undefined;
    }
  }
  return undefined;
}

/** Whether "is not needed", "doesn't matter", "isn't important", "optional" and the like follow. */
export function isDismissedAfter(text: Text, to: number): boolean {
  let negated = false;
  for (let at = to + 1; at <= to + 6 && text.tokens[at]?.gap === 0; at++) {
    const word = text.word(at);
    if (word === "optional" || word === "irrelevant" || word === "unimportant" || word === "secondary") {
      return true;
    }
    if (word === "unnecessary") {
      return true;
    }
    if (negators.has(word)) {
      negated = true;
    } else if (negated && unimportant.has(word)) {
      return true;
    } else if (!dismissalBridges.has(word)) {
      return false;
    }
  }
  return false;
}

const dismissalBridges = words("is are was be of an a the really very that use speed time strictly absolutely at all");
