import { boundBefore } from "./text/bounds.ts";
import { isNegated } from "./text/negation.ts";
import { numberEndingAt } from "./text/numbers.ts";
import type { Rule } from "./text/phrases.ts";
import { type Text, words } from "./text/text.ts";
import type { Found } from "./wish.ts";

/** Tokens of English in a word: 4 tokens for 3 words. */
const TOKENS_PER_WORD = 4 / 3;
/** A page of print has some 500 words. */
const TOKENS_PER_PAGE = 500 * TOKENS_PER_WORD;
/** An hour of speech has some 9,000 words. */
const TOKENS_PER_HOUR = 9000 * TOKENS_PER_WORD;
/** A novel has some 90,000 words, which are 120,000 tokens. Models with that context length are sold as 128k. */
const TOKENS_PER_BOOK = 128_000;
const LONG_CONTEXT = 32_768;
const LONG_DOCUMENT = 16_384;
const LONG_TEXT = 8_192;
/** Every model accepts fewer tokens, so fewer are no wish. */
const LEAST_WISH = 1024;
const MOST_WISH = 20_000_000;

const context = (minTokens: number, from: number, to: number): Found | undefined => {
  const tokens = Math.round(minTokens);
  if (!(tokens >= LEAST_WISH && tokens <= MOST_WISH)) {
    return undefined;
  }
  return { wish: { kind: "context", value: `${tokensText(tokens)} tokens`, minTokens: tokens }, from, to };
};

function tokensText(tokens: number): string {
  if (tokens >= 1e6) {
    return `${Number((tokens / 1e6).toPrecision(3))}M`;
  }
  return tokens % 1024 === 0 && tokens < 1e5
    ? `${tokens / 1024}k`
    : tokens >= 1e4 || tokens % 1000 === 0
      ? `${Math.round(tokens / 1e3)}k`
      : String(tokens);
}

/** Makes a rule for phrases that describe a length without a figure. */
const length = (minTokens: number, phrases: readonly string[]): Rule => ({
  phrases,
  unlessNegated: true,
  read: (text, from, to) => (outputs.has(text.word(from - 1)) ? undefined : context(minTokens, from, to)),
});

/** Words for text that the model writes, which is no input. */
const outputs = words("write writes writing generate generates generating draft drafts compose");
const pagedThings = words(
  "contract contracts report reports document documents pdf pdfs paper papers thesis theses manual manuals book books filing",
  "filings agreement agreements brief briefs file files transcript transcripts studies study proposal proposals tender tenders",
  "policy policies application applications dossier dossiers law laws bill bills statement statements",
);
const transcriptThings = words(
  "transcript transcripts minutes conversation conversations meeting meetings lecture lectures hearing hearings",
);

export const contextRules: readonly Rule[] = [
  length(LONG_CONTEXT, ["long context window|windows|length?", "large|big|huge context window?", "longcontext"]),
  length(LONG_DOCUMENT, [
    "long|lengthy|large|huge|entire|whole|full document|documents|contract|contracts|report|reports|pdf|pdfs|paper|papers|transcript|transcripts|file|thesis|theses|manual|manuals|agreements|filings|judgments|judgements|chapters|studies",
    "long|lengthy legal|research|scientific|meeting|technical|financial|pdf|word|annual|court|medical documents|contracts|reports|papers|transcripts|files|opinions",
    "documents|contracts|reports|papers that|which are? very? long",
    "long documents|inputs",
  ]),
  length(LONG_TEXT, [
    "long|lengthy text|texts|article|articles|input|inputs|thread|threads|conversation|conversations|chats|dialogues|passages|posts|sequences|discussion|email|essays|stories threads?",
    "long form text|texts|articles|inputs|documents",
    "long chat history|histories|sessions",
  ]),
  length(TOKENS_PER_BOOK, [
    "whole|entire|full|complete|long|multiple book|books|novel|novels|textbook|textbooks|codebase|codebases|repository|repositories|repo|manuscript|manuscripts",
    "whole|entire|full code base|bases|repository",
    "book length|sized",
    "cover to cover",
  ]),
  { phrases: ["tokens|token"], read: readTokens },
  { phrases: ["context"], unlessNegated: true, read: readContextFigure },
  { phrases: ["page|pages|pager|pagers"], read: readPages },
  { phrases: ["word|words"], read: readWords },
  { phrases: ["hour|hours long?"], read: readHours },
];

/** Reads "100k tokens", "more than 16,000 tokens of input", "an 8k-token window". */
function readTokens(text: Text, from: number): Found | undefined {
  const number = text.tokens[from]?.gap === 0 ? numberEndingAt(text, from - 1) : undefined;
  if (number === undefined || isRateOrOutput(text, from, number.from)) {
    return undefined;
  }
  const bound = boundBefore(text, number.from);
  const start = bound?.from ?? number.from;
  const first = text.word(start);
  // "Under 512 tokens" means that the texts are short.
  if (/^(?:under|below|less|fewer|within)$/.test(first) || isNegated(text, start, start)) {
    return undefined;
  }
  return context(number.value, start, text.after(from) === "context" ? from + 1 : from);
}

/** Reads "128k context", "context of 32k", "context window of at least 100k". */
function readContextFigure(text: Text, from: number): Found | undefined {
  const before = text.tokens[from]?.gap === 0 ? numberEndingAt(text, from - 1) : undefined;
  let to = from;
  while (
    to < from + 6 &&
    /^(?:window|length|size|of|at|least|up|to|is|over|more|than|about|around)$/.test(text.after(to))
  ) {
    to++;
  }
  if (before !== undefined && before.value >= LEAST_WISH) {
    const end = /^(?:window|length|size)$/.test(text.after(from)) ? from + 1 : from;
    return context(before.value, before.from, end);
  }
  for (const at of [to + 2, to + 1]) {
    if (
      !text.joined(to + 1, at) ||
      ((text.tokens[to + 1]?.gap ?? 2) > 0 && !/^\s?(?:[>≥]=?|=|:)\s?$/.test(text.between(to + 1)))
    ) {
      continue;
    }
    const number = numberEndingAt(text, at);
    if (number === undefined || number.from !== to + 1) {
      continue;
    }
    return context(number.value, from, text.after(at) === "tokens" ? at + 1 : at);
  }
  return undefined;
}

function isRateOrOutput(text: Text, at: number, from: number): boolean {
  const next = text.word(at + 1);
  if (
    (next === "per" && /^(?:s|sec|second|minute)$/.test(text.word(at + 2))) ||
    next === "second" ||
    next === "sec" ||
    (next === "s" && text.between(at + 1).includes("/"))
  ) {
    return true;
  }
  return /^(?:generate|generates|write|writes|answers?|replies|output|outputs)$/.test(text.word(from - 1));
}

/** Reads "500-page contracts", "reports of 80 pages", "applications run to eighty pages". */
function readPages(text: Text, from: number): Found | undefined {
  const number = text.tokens[from]?.gap === 0 ? numberEndingAt(text, from - 1) : undefined;
  if (number === undefined || number.value < 8 || number.value > 5000) {
    return undefined;
  }
  const next = text.after(from);
  const isAdjective = text.word(from) === "page" && (pagedThings.has(next) || pagedThings.has(text.after(from + 1)));
  if (isAdjective) {
    return context(number.value * TOKENS_PER_PAGE, number.from, pagedThings.has(next) ? from + 1 : from);
  }
  if (next === "long" || next === "each" || next === "apiece") {
    return context(number.value * TOKENS_PER_PAGE, number.from, from + 1);
  }
  const bound = boundBefore(text, number.from);
  const start = bound?.from ?? number.from;
  for (let at = start - 1; at >= 0 && at >= start - 4 && text.tokens[at + 1]?.gap === 0; at--) {
    const word = text.word(at);
    if (pagedThings.has(word)) {
      return context(number.value * TOKENS_PER_PAGE, at, from);
    }
    if (!/^(?:of|with|run|runs|to|up|that|have|has|are|about|around|often|usually|sometimes)$/.test(word)) {
      return undefined;
    }
  }
  return undefined;
}

/** Reads "20,000-word articles", "texts of 10,000 words". */
function readWords(text: Text, from: number): Found | undefined {
  const number = text.tokens[from]?.gap === 0 ? numberEndingAt(text, from - 1) : undefined;
  if (number === undefined || number.value < 4000 || number.value > 2e6 || outputs.has(text.word(number.from - 1))) {
    return undefined;
  }
  const isAdjective = text.word(from) === "word" && text.after(from) !== "";
  const isLength = /^(?:long|each)$/.test(text.after(from)) || /^(?:of|to)$/.test(text.before(number.from));
  const lists =
    /^(?:vocabulary|dictionary|lexicon|list|corpus)$/.test(text.word(number.from - 2)) ||
    /^(?:vocabulary|dictionary|list)$/.test(text.after(from));
  if ((!isAdjective && !isLength) || lists) {
    return undefined;
  }
  return context(number.value * TOKENS_PER_WORD, number.from, from);
}

/** Reads "hour-long transcripts", "two-hour meeting transcripts"; recordings are not text. */
function readHours(text: Text, from: number, to: number): Found | undefined {
  const number = text.tokens[from]?.gap === 0 ? numberEndingAt(text, from - 1) : undefined;
  const hours = number?.value ?? (text.word(to) === "long" ? 1 : undefined);
  if (hours === undefined || !(hours >= 0.5 && hours <= 100)) {
    return undefined;
  }
  for (let at = to + 1; at <= to + 3 && text.tokens[at]?.gap === 0; at++) {
    const word = text.word(at);
    if (word === "transcript" || word === "transcripts") {
      return context(hours * TOKENS_PER_HOUR, number?.from ?? from, at);
    }
    if (!transcriptThings.has(word) && !/^(?:of|call|calls|interview|zoom|podcast|board|video)$/.test(word)) {
      return undefined;
    }
  }
  return undefined;
}

/** Keeps the longest context. Contexts with a figure win over phrases such as "long documents". */
export function mergeContexts(found: Found[], text: Text): Found[] {
  const contexts = found.filter(({ wish }) => wish.kind === "context");
  if (contexts.length < 2) {
    return found;
  }
  const hasFigure = ({ from, to }: Found) => {
    for (let at = from; at <= to; at++) {
      if (numberEndingAt(text, at) !== undefined) {
        return true;
      }
    }
    return false;
  };
  const figures = contexts.filter(hasFigure);
  const kept = figures.length > 0 ? figures : contexts;
  const longest = kept.reduce((a, b) => (tokensOf(b) > tokensOf(a) ? b : a));
  return found.filter((each) => each.wish.kind !== "context" || each === longest);
}

function tokensOf({ wish }: Found): number {
  return wish.kind === "context" ? wish.minTokens : 0;
}
