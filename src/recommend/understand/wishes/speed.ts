import { boundBefore } from "./text/bounds.ts";
import { numberEndingAt } from "./text/numbers.ts";
import type { Rule } from "./text/phrases.ts";
import { type Text, words } from "./text/text.ts";
import type { Found } from "./wish.ts";

type Preference = "fast" | "realtime";

const speed = (preference: Preference, from: number, to: number): Found => ({
  wish: { kind: "speed", value: preference, preference },
  from,
  to,
});

const unlessNegated = (preference: Preference, phrases: readonly string[]): Rule => ({
  phrases,
  unlessNegated: true,
  read: (_text, from, to) => speed(preference, from, to),
});

const notFast = words(
  "laps lap food foods fashion car cars track lane forward moving growing paced bowling bowler ball breeder talking speech speaker",
  "speakers talker talkers motion motions movement movements reading break train trains learners fourier changing spreading",
);
const notRealTime = words("strategy data prices price information payments payment clock kernel operating");
const notInstant = words(
  "message messages messaging messenger coffee noodles noodle pot ramen camera photo photos film pudding",
);
/** Words after milliseconds that are parts of a recording. */
const noWaits = words(
  "window windows frame frames chunk chunks hop hops clip clips segment segments shift pause pauses apart long",
);
const waits = words("latency delay lag response responses answer answers reply time");

export const speedRules: readonly Rule[] = [
  {
    phrases: ["real time", "realtime"],
    unlessNegated: true,
    read: (text, from, to) => {
      if (notRealTime.has(text.after(to))) {
        return undefined;
      }
      return speed("realtime", text.before(from) === "in" ? from - 1 : from, to);
    },
  },
  unlessNegated("realtime", [
    "live caption|captions|captioning|captioned|subtitle|subtitles|subtitling|transcript|transcription|translation|dictation|interpretation|interpreting|detection|tracking|speech",
    "low|lowest|minimal|ultra|small low? latency|delay|lag",
    "streaming asr|speech|transcription|recognition|recogniser|recognizer|tts|synthesis|text|transcriber|stt",
    "simultaneous interpretation|interpreting|translation|interpreter",
    "on the fly",
    "sub second latency|delay|response?",
    "subsecond",
    "as|while you|i|they|we|users|people|the|a developer|developers|user|users|programmer|person|thirty? type|types|speak|speaks|talk|talks",
    "no|without noticeable|perceptible|any? lag|delay|latency",
    "in|within few|a|some? milliseconds|millisecond",
  ]),
  {
    phrases: ["fast|faster|fastest", "high|higher speed|throughput"],
    unlessNegated: true,
    read: (text, from, to) => {
      if (notFast.has(text.after(to)) || /^(?:how|too)$/.test(text.before(from))) {
        return undefined;
      }
      if (
        text.word(from) === "faster" &&
        !/^(?:model|models|inference|than|alternative|version)$/.test(text.after(to)) &&
        !text.isSegment(from, to)
      ) {
        return undefined;
      }
      // "Listings sell faster", "the fastest way to learn".
      if (/^(?:sell|sells|learn|grow|grows|speak|speaks|drive|talk|talks|moving|grew)$/.test(text.before(from))) {
        return undefined;
      }
      if (/^(?:way|growing|route|runner|path)$/.test(text.after(to))) {
        return undefined;
      }
      return speed("fast", from, to);
    },
  },
  unlessNegated("fast", [
    "quick|quickly|rapid|rapidly|speedy|snappy inference|model|models|response|responses|turnaround|enough|replies",
    "respond|responds|reply|replies|answer|answers|run|runs|process|processes|react|reacts|classify|infer quickly|rapidly|promptly|immediately|instantly",
    "snappy|speedy",
    "not too? slow",
    "nothing slow",
    "short|quick inference|response|waiting time|times",
    "speed matters|counts",
    "speed is|being very? important|crucial|key|critical|essential",
    "optimised|optimized for speed",
  ]),
  {
    phrases: ["instant|instantaneous|instantly"],
    unlessNegated: true,
    read: (text, from, to) => (notInstant.has(text.after(to)) ? undefined : speed("realtime", from, to)),
  },
  { phrases: ["tokens|token|tok|toks per|a|s|sec|second s|sec|second?", "tps"], read: readTokensPerSecond },
  { phrases: ["tokens|tok|token|t"], read: readSlashRate },
  { phrases: ["fps", "frames per|a second", "hz"], read: readFrames },
  { phrases: ["a|an|per|every|each second|sec|minute|hour|night|day"], unlessNegated: true, read: readBulk },
  { phrases: ["ms|millisecond|milliseconds|msec", "second|seconds|sec"], read: readWait },
];

function readTokensPerSecond(text: Text, from: number, to: number): Found | undefined {
  const last = text.word(to);
  if (last === "a" || last === "per" || (to === from && last !== "tps")) {
    return undefined;
  }
  return rate(text, from, to);
}

/** Reads "30 tokens/s", "20 tok/sec", "15 t/s". */
function readSlashRate(text: Text, from: number): Found | undefined {
  const next = text.word(from + 1);
  if (!/^(?:s|sec|second)$/.test(next) || text.between(from + 1).trim() !== "/") {
    return undefined;
  }
  return rate(text, from, from + 1);
}

function rate(text: Text, from: number, to: number): Found | undefined {
  const number = text.tokens[from]?.gap === 0 ? numberEndingAt(text, from - 1) : undefined;
  if (number === undefined || !(number.value > 0 && number.value <= 100_000)) {
    return undefined;
  }
  const start = boundBefore(text, number.from)?.from ?? number.from;
  return {
    wish: { kind: "speed", value: `${number.value} tokens/s`, preference: "fast", minTokensPerSecond: number.value },
    from: start,
    to,
  };
}

/** Seconds of a period. A night's work has eight hours. */
const periods: Readonly<Record<string, number>> = {
  second: 1,
  sec: 1,
  minute: 60,
  hour: 3_600,
  night: 28_800,
  day: 86_400,
};
/** Measures and moments: no items that a model reads or makes. */
const noItems = words(
  "tokens hours minutes seconds days weeks times dollars euros pounds cents km kilometres kilometers miles metres meters gigabytes",
  "terabytes megabytes words beats steps points values samples degrees percent people visitors customers users kids guests patients",
);
/** The most words between the number and the period: "two million customer support tickets a night". */
const MOST_BETWEEN = 5;

/** Reads "2 million lines a night". Less than one a second is no wish for speed: nearly every model does that. */
function readBulk(text: Text, from: number, to: number): Found | undefined {
  // "2 million lines of text a night".
  const item = text.word(from - 2) === "of" ? text.word(from - 3) : text.before(from);
  if (!/[a-z]{2}s$/.test(item) || noItems.has(item)) {
    return undefined;
  }
  for (let at = from - 2; at >= from - 1 - MOST_BETWEEN && text.joined(at, from); at--) {
    const number = numberEndingAt(text, at);
    if (number === undefined) {
      continue;
    }
    const itemsPerSecond = number.value / (periods[text.word(to)] ?? Infinity);
    if (!(itemsPerSecond >= 1 && itemsPerSecond <= 1e6)) {
      return undefined;
    }
    const wish = { kind: "speed", value: "fast", preference: "fast", itemsPerSecond } as const;
    return { wish, from: boundBefore(text, number.from)?.from ?? number.from, to };
  }
  return undefined;
}

/** Reads "at 30 fps", "at 30 frames per second". */
function readFrames(text: Text, from: number, to: number): Found | undefined {
  const number = text.tokens[from]?.gap === 0 ? numberEndingAt(text, from - 1) : undefined;
  if (number === undefined || !(number.value >= 5 && number.value <= 120)) {
    return undefined;
  }
  const bound = boundBefore(text, number.from);
  const isHertz = text.word(from) === "hz";
  // "30 fps" alone may be the frame rate of a clip. It counts only as a rate that the model must reach.
  const lead = text.word((bound?.from ?? number.from) - 1);
  const isAlone = text.isSegment(number.from, to);
  if (isHertz || (bound?.bound !== "least" && lead !== "at" && lead !== "runs" && !isAlone)) {
    return undefined;
  }
  if (/^(?:video|videos|clip|clips|recording|footage)$/.test(text.word(number.from - 2))) {
    return undefined;
  }
  const wish = {
    kind: "speed",
    value: "realtime",
    preference: "realtime",
    framesPerSecond: number.value,
  } as const;
  return { wish, from: bound?.from ?? number.from, to };
}

/**
 * Reads "latency under 20 ms", "within 100 ms", "a delay below a second"; not the length of clips ("under 10 seconds").
 */
function readWait(text: Text, from: number, to: number): Found | undefined {
  const number = text.tokens[from]?.gap === 0 ? numberEndingAt(text, from - 1) : undefined;
  if (number === undefined) {
    return undefined;
  }
  const isMs = text.word(from).startsWith("m");
  const bound = boundBefore(text, number.from);
  const start = bound?.from ?? number.from;
  const before = text.before(start);
  const isWait =
    waits.has(before) ||
    waits.has(text.after(to)) ||
    (/^(?:of|is|with)$/.test(before) && waits.has(text.word(start - 2)));
  const answers =
    /^(?:respond|responds|answer|answers|reply|replies|react|reacts|run|runs|finish|done|result|results|inference)$/.test(
      before,
    );
  const isBudget =
    isMs && (bound?.bound === "most" || (!noWaits.has(text.after(to)) && !/^(?:of|last|lasts)$/.test(before)));
  if (!isWait && !answers && !isBudget) {
    return undefined;
  }
  if (bound !== undefined && bound.bound === "least") {
    return undefined;
  }
  const maxLatencyMs = number.value * (isMs ? 1 : 1000);
  if (!(maxLatencyMs > 0 && maxLatencyMs <= 60_000)) {
    return undefined;
  }
  const preference = maxLatencyMs <= 1000 ? "realtime" : "fast";
  const first = waits.has(before) ? start - 1 : start;
  const last = waits.has(text.after(to)) ? to + 1 : to;
  return { wish: { kind: "speed", value: preference, preference, maxLatencyMs }, from: first, to: last };
}
