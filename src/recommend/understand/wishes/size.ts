import { boundAfter, boundBefore } from "./text/bounds.ts";
import { isNegated, negatorBefore } from "./text/negation.ts";
import { byteUnits, gigabytesPerUnit, numberEndingAt, sizeText } from "./text/numbers.ts";
import type { Rule } from "./text/phrases.ts";
import { type Text, words } from "./text/text.ts";
import type { Found } from "./wish.ts";

/** "About 2 GB" allows a fifth more. */
const ABOUT_SLACK = 1.2;
/** No model is larger, so a larger figure means something else. */
const MOST_GB = 2000;

/** Nouns for models. A size right before one of them is the size of the model. */
const modelNouns = words(
  "model models llm llms slm slms lm lms vlm vlms network networks net nets transformer transformers encoder encoders",
  "decoder decoders classifier classifiers detector detectors checkpoint checkpoints cnn bert roberta embedding embeddings",
  "embedder reranker rerankers recogniser recognizer translator translators summariser summarizer transcriber tagger",
  "yolo whisper llama qwen gemma phi mistral tts asr ner vocoder unet vit parser captioner upscaler segmenter baseline",
  "bot chatbot weights download file footprint neural gguf package variant version ddpm gan diffusion size ai",
  "architecture backbone denoiser generator tokenizer extractor predictor reader",
);
/** Families whose sizes people write before the name: "70b llama". */
const familyNouns = words("llama qwen gemma mistral mixtral deepseek phi falcon yi granite olmo nemotron");
/** Adjectives for small models. */
const smallWords =
  "small|tiny|smaller|smallest|lightweight|compact|light|lighter|lightest|little|slim|ultralight|miniature|tinier|tiniest";
/** Things that "small" describes instead of the model: "small business". */
const smallThings = words(
  "business businesses company companies talk print object objects defect defects face faces animal animals part parts",
  "molecule molecules target targets town towns team teams shop shops office offices vocabulary dataset datasets data",
  "sample samples number numbers amount amounts font fonts child children kids screen screens claims caps intestine group",
  "set scale batch batches documents enterprise enterprises publisher charity farm farms museum law agency bakery hotel",
  "clinic wildlife organisation organization startup firm firms bank press budget private vehicles drone drones",
  "car cars house houses dog dogs cat cats icons robot robots rover device devices chip chips board boards computer laptop phone gpu server script scripts jobs",
);
/** Things whose size is not the model's: "files under 10 MB", "10 GB of logs". */
const storedThings = words(
  "file files image images photo photos picture pictures pdf pdfs video videos document documents attachment attachments",
  "upload uploads recording recordings clip clips dataset datasets data corpus logs log database dump emails mails text",
  "texts audio archive archives backup backups csv json tables records input inputs page pages scan scans footage ones",
);
/** Words after "of" for the model's own size: "2 GB of disk". */
const modelStores = words("free disk storage space model weights download disc drive ssd flash weight parameters");
/** If one of these nouns follows, a size is one of working memory, which is a wish for hardware. */
const memoryNouns = words(
  "ram vram memory gpu gpus card graphics video unified ddr4 ddr5 nvidia cpu machine laptop macbook mac computer pc jetson",
  "hbm server notebook raspberry pi phone tablet",
);

const small = (from: number, to: number): Found => ({
  wish: { kind: "size", value: "small", preference: "small" },
  from,
  to,
});

const large = (from: number, to: number): Found => ({
  wish: { kind: "size", value: "large", preference: "large" },
  from,
  to,
});

export const sizeRules: readonly Rule[] = [
  { phrases: [byteUnits], read: readBytes },
  {
    phrases: ["b|bn|billion", "m|million|k parameters|params|param|parameter|weights|model|models"],
    read: readParameters,
  },
  { phrases: [smallWords, "light weight"], unlessNegated: true, read: readSmall },
  {
    phrases: [
      "as small|tiny|light|compact as possible",
      "small|tiny|light|compact|lightweight enough for|to|on|that",
      "small|tiny|compact|modest|minimal|low|lower|reduced in? size|footprint",
      "size small|tiny|compact",
      "low|minimal|little|modest memory footprint",
      "low|small|minimal memory usage|use|consumption|requirements",
      "memory efficient|friendly",
      "parameter efficient",
      "resource constrained|limited|efficient",
      "the smaller the better",
      "smaller is better",
      "limited|little disk space|storage",
      "not too big|large|huge|heavy",
      "nothing too? big|large|huge|heavy|heavyweight",
      "not huge|heavy|heavyweight|bulky",
      "keep it small|tiny|light|lightweight",
      "pocket sized",
      "distilled model|models|network|summariser|summarizer|transformer|encoder|version|checkpoint|vision",
    ],
    unlessNegated: true,
    read: (text, from, to) => {
      const isLead = /^(?:for|to|on|that)$/.test(text.word(to));
      return isLead && storedThings.has(text.after(to)) ? undefined : small(from, isLead ? to - 1 : to);
    },
  },
  {
    phrases: [
      "largest|biggest model|models|llm|language|open|available|one|possible",
      "as large|big as possible",
      "most capable|powerful",
      "large|big|larger|bigger size|sized",
      "no size limit|limits|restriction|constraint|constraints",
    ],
    unlessNegated: true,
    read: (text, from, to) => (text.word(from) === "most" && !leadsToModel(text, to) ? undefined : large(from, to)),
  },
];

/** Reads "under 2 GB", "500 MB or less", "a 300 MB model". */
function readBytes(text: Text, from: number): Found | undefined {
  const number = text.tokens[from]?.gap === 0 ? numberEndingAt(text, from - 1) : undefined;
  if (number === undefined) {
    return undefined;
  }
  const gigabytes = number.value * (gigabytesPerUnit[text.word(from)] ?? 0);
  if (!(gigabytes > 0 && gigabytes <= MOST_GB)) {
    return undefined;
  }
  if (memoryFollows(text, from) || isRate(text, from)) {
    return undefined;
  }
  const before = boundBefore(text, number.from);
  const after = before === undefined ? boundAfter(text, from) : undefined;
  const bound = before?.bound ?? after?.bound;
  const start = before?.from ?? number.from;
  let end = after?.to ?? from;
  if (bound === "least" || (bound === undefined && isNegated(text, start, end))) {
    return undefined;
  }
  const next = text.after(end);
  if (next === "of") {
    if (!modelStores.has(text.word(end + 2))) {
      return undefined;
    }
    end += 2;
  } else if (next === "model" || next === "download" || next === "disk" || next === "limit") {
    end += 1;
  } else if (bound === undefined) {
    return undefined;
  } else if (storedThings.has(next)) {
    return undefined;
  }
  if (isOfStoredThings(text, start)) {
    return undefined;
  }
  const maxSizeGb = Number((bound === "about" ? gigabytes * ABOUT_SLACK : gigabytes).toPrecision(6));
  return { wish: { kind: "size", value: sizeText(gigabytes), maxSizeGb }, from: start, to: end };
}

/** Whether "of RAM", "VRAM", "GPU" or similar words follow within a few words. */
function memoryFollows(text: Text, at: number): boolean {
  for (let next = at + 1; next <= at + 4 && text.tokens[next]?.gap === 0; next++) {
    const word = text.word(next);
    if (memoryNouns.has(word)) {
      return word !== "memory" || text.word(next + 1) !== "stick";
    }
    if (!memoryBridges.has(word) && next > at + 1) {
      return false;
    }
    if (storedThings.has(word) || word === "on" || word === "for") {
      return false;
    }
  }
  return false;
}
const memoryBridges = words("of the or less max video gpu graphics free available system unified shared my our nvidia");

function isRate(text: Text, at: number): boolean {
  const next = text.word(at + 1);
  return next === "per" || (next === "s" && text.between(at + 1).includes("/"));
}

/** Whether it is the size of other things: "files under 10 MB", "images that are smaller than 5 MB". */
function isOfStoredThings(text: Text, from: number): boolean {
  for (let at = from - 1; at >= from - 4 && text.tokens[at + 1]?.gap === 0; at--) {
    const word = text.word(at);
    if (modelNouns.has(word) && word !== "file") {
      return false;
    }
    if (storedThings.has(word)) {
      return true;
    }
    if (!storedBridges.has(word)) {
      return false;
    }
  }
  return false;
}
const storedBridges = words("that which are is of size sized with a all must be each usually mostly always typically");

/** Reads "under 7B", "3B or smaller", "a 7B model", "less than 1 billion parameters". */
function readParameters(text: Text, from: number, to: number): Found | undefined {
  const number = numberEndingAt(text, from);
  if (number === undefined || number.from === from || text.between(number.from).endsWith("$")) {
    return undefined;
  }
  const last = text.word(from);
  const noun = text.word(to);
  let end = to;
  let named = noun !== last;
  if (!named && /^(?:param|weights$|model|llm|lm$|class|version|variant)/.test(text.after(to))) {
    named = true;
    end = to + 1;
  } else if (!named && last === "b" && familyNouns.has(text.after(to))) {
    named = true;
  }
  const before = boundBefore(text, number.from);
  const after = before === undefined ? boundAfter(text, end) : undefined;
  const bound = before?.bound ?? after?.bound;
  // "7B" alone may be part of a model's name; "under 2 billion" needs a noun.
  if (!named && (bound === undefined || bound === "about" || last !== "b" || countsOthers(text, after?.to ?? end))) {
    return undefined;
  }
  if (named && bound === undefined && text.word(end).startsWith("m") && !startsNounPhrase(text, number.from)) {
    return undefined;
  }
  const parameters = number.value;
  if (!(parameters >= 1e5 && parameters <= 5e12)) {
    return undefined;
  }
  const start = before?.from ?? number.from;
  const stop = after?.to ?? end;
  const figure = parametersText(parameters);
  if (bound === "least") {
    const wish = {
      kind: "size",
      value: `at least ${figure} parameters`,
      minParameters: parameters,
      preference: "large",
    } as const;
    return { wish, from: start, to: stop };
  }
  if (bound === undefined && negatorBefore(text, start) !== undefined) {
    return undefined;
  }
  if (bound === "most") {
    return { wish: { kind: "size", value: `${figure} parameters`, maxParameters: parameters }, from: start, to: stop };
  }
  return { wish: { kind: "size", value: `${figure} parameters`, aboutParameters: parameters }, from: start, to: stop };
}

function countsOthers(text: Text, at: number): boolean {
  return othersCounted.has(text.after(at));
}
const othersCounted = words(
  "tokens users rows people records dollars euros usd words documents items vectors customers",
);

/** Whether the figure starts a noun phrase: "a 7B model" is a wish, "Mistral 7B model" is a name. */
function startsNounPhrase(text: Text, from: number): boolean {
  return text.startsSegment(from) || /^(?:an?|some|any|in|the|small|of|open)$/.test(text.word(from - 1));
}

function parametersText(parameters: number): string {
  return parameters >= 1e9
    ? `${Number((parameters / 1e9).toPrecision(3))}B`
    : `${Number((parameters / 1e6).toPrecision(3))}M`;
}

/** Reads "small" and similar words, where they describe the model. */
function readSmall(text: Text, from: number, to: number): Found | undefined {
  const word = text.word(from);
  const next = text.after(to);
  const found = small(from, to);
  if (
    word === "light" &&
    to === from &&
    (next === "novel" || next === "novels" || next === "source" || next === "on")
  ) {
    return undefined;
  }
  if (word === "little" && !modelNouns.has(next)) {
    return undefined;
  }
  if (smallThings.has(next)) {
    return undefined;
  }
  if (leadsToModel(text, to)) {
    return found;
  }
  // "Must be small", "something tiny", "Whisper small", "fast and light".
  const before = text.before(from);
  if (
    next === "" ||
    next === "and" ||
    next === "but" ||
    next === "please" ||
    next === "enough" ||
    next === "for" ||
    next === "on" ||
    next === "that"
  ) {
    const comparative = word.endsWith("er") || word.endsWith("est");
    if (!comparative && text.isSegment(from, to)) {
      return word === "little" ? undefined : found;
    }
    if (
      before === "something" ||
      before === "anything" ||
      modelNouns.has(before) ||
      before === "preferably" ||
      before === "ideally"
    ) {
      return found;
    }
    if (/^(?:be|is|stay|very|really|quite|extremely|super|it)$/.test(before) && !/^(?:light|little)$/.test(word)) {
      return isAboutModel(text, from) ? found : undefined;
    }
    if ((before === "and" || before === "but") && qualityWords.has(text.word(from - 2))) {
      return found;
    }
    if (next === "and" && text.startsSegment(from) && qualityWords.has(text.word(to + 2))) {
      return found;
    }
  }
  return undefined;
}
const qualityWords = words(
  "fast quick accurate cheap good simple efficient local private offline open free light multilingual",
);

/**
 * Whether the sentence is about the model: "the model must be small", "it should be tiny"; not "the defects are small".
 */
function isAboutModel(text: Text, from: number): boolean {
  for (let at = from - 1; at >= 0 && at >= from - 7; at--) {
    if (text.tokens[at + 1]?.gap === 2) {
      return false;
    }
    const word = text.word(at);
    if (modelNouns.has(word) || word === "must" || word === "should" || word === "needs" || word === "has") {
      const subject = text.word(at - 1);
      return (
        modelNouns.has(word) ||
        subject === "" ||
        subject === "it" ||
        subject === "which" ||
        subject === "and" ||
        subject === "that" ||
        modelNouns.has(subject) ||
        text.tokens[at]?.gap !== 0
      );
    }
  }
  return false;
}

/** Whether a noun for a model follows in the same noun phrase, at most five words on. */
function leadsToModel(text: Text, to: number): boolean {
  for (let at = to + 1; at <= to + 5; at++) {
    const gap = text.tokens[at]?.gap;
    // "A small, fast model": a comma before an adjective does not end the phrase.
    if (gap !== 0 && !(gap === 1 && at === to + 1 && qualityWords.has(text.word(at)))) {
      return false;
    }
    const word = text.word(at);
    if (at === to + 1 && smallThings.has(word)) {
      return false;
    }
    if (modelNouns.has(word)) {
      return !(word === "file" || word === "size" || word === "reader") || at === to + 1;
    }
    if (phraseEnds.has(word)) {
      return false;
    }
  }
  return false;
}
const phraseEnds = words(
  "of for in that which with to from on by as at is are was or into about without who when because so",
);

/**
 * Drops "large" beside a figure or "small": in "the most capable small model" it only orders the small models. "Small" is
 * kept beside a figure, because it also orders the models within the limit.
 */
export function mergeSizes(found: Found[]): Found[] {
  const isLimited = found.some(({ wish }) => wish.kind === "size" && wish.preference !== "large");
  if (!isLimited) {
    return found;
  }
  return found.filter(
    ({ wish }) => !(wish.kind === "size" && wish.preference === "large" && wish.minParameters === undefined),
  );
}
