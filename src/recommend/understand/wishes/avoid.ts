import type { Rule } from "./text/phrases.ts";
import { type Text, words } from "./text/text.ts";
import type { Found } from "./wish.ts";

interface Avoidable {
  what: string;
  task?: string;
  family?: string;
  owners?: readonly string[];
  /** Phrases that name the thing, in the grammar of `Rule`. */
  phrases: readonly string[];
  /** The name is also a common word: it counts only with a capital and without an article before it. */
  proper?: true;
  /** The name of a company: it counts only beside "models", "from" or similar words. */
  maker?: true;
}

/** Things that people want to avoid, each with the task, family or owners that it means in the inventory. */
const table: readonly Avoidable[] = [
  {
    what: "chatbot",
    task: "conversational",
    phrases: [
      "chatbot|chatbots",
      "chat bot|bots|model|models|assistant|app",
      "conversational model|models|agent|ai|bot",
    ],
  },
  {
    what: "language model",
    task: "text-generation",
    phrases: [
      "language model|models",
      "large|big|huge|small language model|models",
      "llm|llms",
      "large|big|huge|full|generic|general|heavy llm|llms",
      "text generation|generator",
      "generative model|models|ai|llm|approach",
      "gpt style|like|type model|models?",
    ],
  },
  {
    what: "image generation",
    task: "text-to-image",
    phrases: [
      "image|picture|art generation|generator|generators|creation",
      "text to image",
      "generate|generated|generating|create|creating|draw|drawing images|pictures|photos",
      "generate|generating|create|creating any|them",
    ],
  },
  { what: "video generation", task: "text-to-video", phrases: ["video generation|generator", "text to video"] },
  { what: "translation", task: "translation", phrases: ["translation|translations|translator|translating"] },
  {
    what: "summary",
    task: "summarization",
    phrases: ["summary|summaries|summariser|summarizer|summarization|summarisation|summarising|summarizing"],
  },
  {
    what: "transcript",
    task: "automatic-speech-recognition",
    phrases: ["transcript|transcripts|transcription|transcribing", "speech recognition", "speech to text"],
  },
  { what: "speech synthesis", task: "text-to-speech", phrases: ["tts", "text to speech", "speech synthesis"] },
  {
    what: "boxes",
    task: "object-detection",
    phrases: ["box|boxes", "bounding box|boxes", "object detection|detector"],
  },
  { what: "masks", task: "image-segmentation", phrases: ["segmentation", "segmentation mask|masks"] },
  { what: "captions", task: "image-to-text", phrases: ["caption|captioning", "image captions|caption|captioning"] },
  { what: "embeddings", task: "feature-extraction", phrases: ["embedding|embeddings model|models?"] },
  {
    what: "sentiment analysis",
    task: "text-classification",
    phrases: ["sentiment analysis|classifier|classification?"],
  },
  { what: "classification", task: "text-classification", phrases: ["text classification|classifier"] },
  {
    what: "fine-tuning",
    phrases: [
      "fine tuning|tune|tuned",
      "finetuning|finetune|finetuned",
      "model|extra|further|additional|own|custom|special|task|more training",
      "retraining|retrain",
      "training",
      "training data|examples|pairs|pair|set|images|phase|step|run",
      "labelled|labeled data|examples|set|text|sentences",
      "need to train",
    ],
  },
  { what: "diffusion", phrases: ["diffusion model|models?"] },
  { what: "reasoning", phrases: ["reasoning model|models", "thinking model|models|mode|tokens"] },
  {
    what: "quantized",
    phrases: ["quantized|quantised model|models|version|versions|weights", "quantization|quantisation"],
  },
  { what: "mixture of experts", phrases: ["moe model|models?", "mixture of experts"] },
  { what: "uncensored", phrases: ["uncensored|nsfw model|models|content|output?"] },
  ...[
    "qwen",
    "gemma",
    "deepseek",
    "gpt2",
    "bloom",
    "whisper",
    "yolo",
    "flux",
    "bert",
    "roberta",
    "t5",
    "mixtral",
    "mistral",
    "phi",
    "falcon",
    "llama",
    "bark",
    "clip",
  ].map(
    (name): Avoidable => ({
      what: name,
      family: name === "mixtral" ? "mistral" : name,
      phrases: [`${name}|${name}s|${name}2|${name}3 #|v2|v3? based|model|models|family|variant|variants?`],
      ...(["bloom", "whisper", "flux", "phi", "falcon", "llama", "bark", "clip"].includes(name) && { proper: true }),
    }),
  ),
  { what: "stable diffusion", family: "stable-diffusion", phrases: ["stable diffusion model|models?"] },
  {
    what: "meta",
    owners: ["meta-llama", "facebook", "metaresearch"],
    phrases: ["meta|facebook ai|model|models?"],
    maker: true,
  },
  {
    what: "google",
    owners: ["google", "google-bert", "google-t5", "googleai"],
    phrases: ["google model|models?"],
    maker: true,
  },
  { what: "openai", owners: ["openai", "openai-community"], phrases: ["openai model|models?"], maker: true },
  { what: "microsoft", owners: ["microsoft"], phrases: ["microsoft model|models?"], maker: true },
  { what: "alibaba", owners: ["qwen", "alibaba-nlp", "alibaba-pai"], phrases: ["alibaba model|models?"], maker: true },
  { what: "nvidia", owners: ["nvidia"], phrases: ["nvidia model|models"], maker: true },
  {
    what: "chinese models",
    owners: [
      "qwen",
      "deepseek-ai",
      "thudm",
      "zai-org",
      "baidu",
      "tencent",
      "01-ai",
      "internlm",
      "opengvlab",
      "moonshotai",
      "minimaxai",
      "baichuan-inc",
      "xiaomimimo",
      "stepfun-ai",
      "bytedance",
      "alibaba-nlp",
      "baai",
      "openbmb",
    ],
    phrases: ["chinese model|models|llm|llms|companies|company|labs|lab", "china"],
  },
];

/** Words that reject a thing. */
const negators = words(
  "no not without avoid avoiding except excluding never nothing anything don't doesn't dont doesnt isn't isnt won't can't cannot",
  "needn't neither nor aren't wouldn't",
);
/** Words between a negator and the thing: "don't want any". */
const bridges = words(
  "a an any the want wants need needs needed to be use uses using have having another more just simply yet full fully big generic",
  "large huge of from by for based on is are like model models made train do doing require requires requiring looking wish get",
  "extra further own custom special i we require requiring trained in out general it further some specially",
);
/** Pairs of words that reject a thing: "instead of", "rather than", "other than". */
const pairs = words("instead_of rather_than other_than apart_from aside_from anything_but");

/** Names of families and companies: "nothing from Qwen or DeepSeek" rejects both. */
const names = words(
  ...table
    .flatMap(({ phrases, family, owners }) =>
      family === undefined && owners === undefined ? [] : phrases.map((phrase) => phrase.split(" ")[0] as string),
    )
    .map((first) => first.replaceAll("|", " ")),
);

/** Words that join listed names. */
const listing = words("or nor and");

const namesPictures = /\b(?:images?|pictures?|photos?)\b/i;

/** Words after "training" when it is not the training of a model. */
const notTraining = words(
  "video videos wheels course courses staff session sessions material materials programme program plan room",
);

/** The things that have rules, as `what` of a wish names them. */
export const knownUnwanted: ReadonlySet<string> = new Set(table.map(({ what }) => what));

export const avoidRules: readonly Rule[] = table.map(
  (avoidable): Rule => ({
    phrases: avoidable.phrases,
    read: (text, from, to) => readAvoid(text, from, to, avoidable),
  }),
);

function readAvoid(text: Text, from: number, to: number, avoidable: Avoidable): Found | undefined {
  const rejection = findRejection(text, from);
  const start = rejection?.at ?? (dismissalAfter(text, to) === undefined ? undefined : from);
  if (start === undefined) {
    return undefined;
  }
  const { what, task, family, owners, proper, maker } = avoidable;
  if (proper && (!text.isCapitalised(from) || /^(?:a|an|the)$/.test(text.before(from)))) {
    return undefined;
  }
  if (maker && !/model/.test(text.word(to)) && !/^(?:from|by|of)$/.test(text.before(from))) {
    return undefined;
  }
  // "Nothing from Meta", "anything but Qwen"; not "nothing trains like a language model".
  if (/^(?:any|no)thing$/.test(text.word(start)) && !/^(?:from|by|but|based)$/.test(text.word(start + 1))) {
    return undefined;
  }
  if (
    what === "fine-tuning" &&
    (notTraining.has(text.after(to)) || /^(?:formal|medical|staff|people)$/.test(text.before(from)))
  ) {
    return undefined;
  }
  if (what === "fine-tuning" && text.word(to) === "training" && /^(?:a|the)$/.test(text.before(from))) {
    return undefined;
  }
  if ((what === "boxes" || what === "captions") && text.after(to) === "of") {
    return undefined;
  }
  // "Sort the pictures, do not generate any".
  if (what === "image generation" && /^(?:any|them)$/.test(text.word(to)) && !namesPictures.test(text.description)) {
    return undefined;
  }
  // "We have no embeddings yet" describes the situation and rejects nothing.
  if (what !== "fine-tuning" && text.word(start) === "no" && /^(?:have|has|had|got|is|are)$/.test(text.before(start))) {
    return undefined;
  }
  const end = dismissalAfter(text, to) ?? to;
  return {
    wish: {
      kind: "avoid",
      value: what,
      what,
      ...(task !== undefined && { task }),
      ...(family !== undefined && { family }),
      ...(owners !== undefined && { owners }),
    },
    // Of listed things, the words of the first one include the negator.
    from: rejection?.listed === true ? from : start,
    to: start === from ? end : to,
  };
}

/** The first token of "not a", "don't want any" or "instead of a" before the thing, and whether a list is between. */
function findRejection(text: Text, from: number): { at: number; listed: boolean } | undefined {
  let listed = false;
  for (let at = from - 1; at >= 0 && at >= from - 6; at--) {
    const isListed = names.has(text.word(at)) && text.tokens[at + 1]?.gap !== 2;
    if (text.tokens[at + 1]?.gap !== 0 && !isListed) {
      return undefined;
    }
    const word = text.word(at);
    if (isListed || (listing.has(word) && names.has(text.word(at - 1)))) {
      listed = true;
      continue;
    }
    if (pairs.has(`${text.word(at - 1)}_${word}`) && text.joined(at - 1, at)) {
      return { at: at - 1, listed };
    }
    if (negators.has(word)) {
      const next = text.word(at + 1);
      return next === "only" || next === "just" || next === "merely" || next === "every" || next === "all"
        ? undefined
        : { at, listed };
    }
    if (!bridges.has(word)) {
      return undefined;
    }
  }
  return undefined;
}

/** The last token of "is not needed", "not wanted" or "isn't necessary" right after the thing. */
function dismissalAfter(text: Text, to: number): number | undefined {
  let at = to + 1;
  if (text.tokens[at]?.gap !== 0) {
    return undefined;
  }
  if (/^(?:is|are|was|be)$/.test(text.word(at))) {
    at++;
  }
  const word = text.word(at);
  if (word !== "not" && word !== "isn't" && word !== "aren't" && word !== "unnecessary") {
    return undefined;
  }
  if (word === "unnecessary") {
    return text.joined(to, at) ? at : undefined;
  }
  at++;
  if (/^(?:really|strictly)$/.test(text.word(at))) {
    at++;
  }
  return text.joined(to, at) &&
    /^(?:needed|required|wanted|necessary|desired|allowed|possible|welcome)$/.test(text.word(at))
    ? at
    : undefined;
}

/** Words that reject the next word. */
const refusals = words("no not without except excluding");
/** Words before a refusal that begins a clause. */
const starters = words("but and please");
/** Words between a refusal and the thing. */
const articles = words("a an any the");
/** Words after the thing. */
const followers = words("or nor and please");
/** Words that are not things, or that describe how a task is done. */
const noThings = words(
  "only just more less most least much many very that this these those there them they thing things problem idea matter need",
  "needed necessary required important wanted allowed possible other others else same such like later yet sure really always",
  "before after when where while because with from into what which whom here then than even also exactly longer good",
  "fast slow large small long short simple heavy cheap expensive training trained data internet network cloud server online",
  "code text image images audio video human humans people person exceptions limits matter questions strings",
);
/** Shorter words are rarely names of things. */
const SHORTEST = 4;

/**
 * Finds things of one word that a separate clause rejects, whatever they are: "pictures, no anime", "but not Chinese".
 * Words of other wishes are left out.
 */
export function findUnwanted(text: Text, wishes: readonly Found[]): Found[] {
  const found: Found[] = [];
  for (let at = 0; at < text.tokens.length - 1; at++) {
    if (!refusals.has(text.word(at)) || !(text.startsSegment(at) || starters.has(text.before(at)))) {
      continue;
    }
    const to = articles.has(text.after(at)) ? at + 2 : at + 1;
    const what = text.word(to);
    if (what.length < SHORTEST || noThings.has(what) || /\d/.test(what) || /(?:ly|ing|ed)$/.test(what)) {
      continue;
    }
    if (!text.joined(at, to) || !(text.endsSegment(to) || followers.has(text.after(to)))) {
      continue;
    }
    if (wishes.some((other) => other.from <= to && other.to >= at)) {
      continue;
    }
    found.push({ wish: { kind: "avoid", value: what, what }, from: at, to });
  }
  return found;
}
