import type { Rule } from "./text/phrases.ts";
import { type Text, words } from "./text/text.ts";
import type { Found } from "./wish.ts";

/** Families that people ask for by name, as the inventory names them, each with how people write it. */
const families: Readonly<Record<string, string>> = {
  bert: "bert",
  bge: "bge",
  command: "command r",
  deepseek: "deepseek",
  exaone: "exaone",
  falcon: "falcon",
  flux: "flux",
  gemma: "gemma|gemma2|gemma3|gemma4",
  glm: "glm",
  "gpt-oss": "gpt oss",
  granite: "granite",
  hunyuan: "hunyuan",
  kimi: "kimi",
  kokoro: "kokoro",
  llama: "llama|llama2|llama3|llama4",
  llava: "llava",
  ltx: "ltx",
  minicpm: "minicpm",
  mistral: "mistral|mixtral|ministral",
  nemotron: "nemotron",
  olmo: "olmo",
  parakeet: "parakeet",
  phi: "phi|phi3|phi4",
  piper: "piper",
  qwen: "qwen|qwen2|qwen3",
  roberta: "roberta",
  smollm: "smollm",
  "stable-diffusion": "stable diffusion",
  t5: "t5",
  wan: "wan",
  whisper: "whisper",
  yolo: "yolo",
};

/** Names that are also common words. They count only if a noun for a model follows, or a figure in a short need. */
const commonWords = words("command falcon flux granite parakeet phi piper wan");
/** A need of at most this many tokens is little more than a name: "deepseek r1 distill". */
const SHORT_NEED = 5;
/** Nouns for a model. */
const modelNouns = words(
  "model models llm llms vlm variant variants version versions checkpoint checkpoints family coder instruct finetune",
);
/** Words before a family that ask for a model of it: "the best Qwen", "latest Llama". */
const askingWords = words("best latest newest recent current smallest largest biggest fastest strongest which");
/** Words that may stand between one of these words, or the start of the need, and the family. */
const fillers = words("open small large good tiny quantized quantised original official");
/** Words before a family and a noun: "a Gemma model", "we need a small Qwen model". */
const articles = words("a an any some");
/** Words before an article that ask for the thing after it: "I need a", "recommend a". */
const wantingWords = words("want wants need needs find recommend suggest prefer me");
/** Pairs of words that do so. Their second word alone does not: "we use a Llama model" asks for no model. */
const wantingPairs = words("looking_for searching_for to_use only_use must_use");
/** Words after a family that ask for a model of another one: "Whisper alternative", "Qwen but smaller". */
const comparing = words("alternative alternatives replacement substitute equivalent clone but like");
/** Words that may follow a family at the start of a need: "gemma for summaries", "qwen that fits 8 GB". */
const followers = words("for that on with which coder under");

/** Reads the family that a need asks for: "a Llama model", "the best Qwen for coding", "70b llama", "gemma for summaries". */
export const familyRules: readonly Rule[] = Object.entries(families).map(
  ([family, phrase]): Rule => ({
    phrases: [phrase],
    unlessNegated: true,
    read: (text, from, to) => (asksFor(text, from, to) ? wish(family, from, to) : undefined),
  }),
);

const wish = (family: string, from: number, to: number): Found => ({
  wish: { kind: "family", value: family, family },
  from,
  to,
});

function asksFor(text: Text, from: number, to: number): boolean {
  const end = endOfFigures(text, to);
  const start = beginOfFigures(text, from);
  if (comparing.has(text.after(end))) {
    return false;
  }
  const hasNoun = modelNouns.has(text.after(end));
  if (hasNoun && isObject(text, start)) {
    return true;
  }
  const isShort = start === 0 && text.tokens.length <= SHORT_NEED;
  if (commonWords.has(text.word(from))) {
    return isShort && end > to;
  }
  return isShort || isAskedFor(text, start) || (start === 0 && followers.has(text.after(end)));
}

/** The last token of figures and sizes after a name: "llama 3.3 70b", which is three numbers and a letter. */
function endOfFigures(text: Text, to: number): number {
  let end = to;
  while (/^(?:v?\d[\d.]*|b|[\d.]+b)$/.test(text.after(end))) {
    end += 1;
  }
  return end;
}

/** The first token of a size before a name: "70b llama", "a 7B Mistral". */
function beginOfFigures(text: Text, from: number): number {
  let start = from;
  while (/^(?:\d[\d.]*|b|[\d.]+b)$/.test(text.before(start))) {
    start -= 1;
  }
  return start;
}

/** Whether the words before a family ask for a model of it: "a Gemma model", "I need a small Qwen model". */
function isObject(text: Text, start: number): boolean {
  const at = beforeFillers(text, start);
  if (at < 0 || askingWords.has(text.word(at))) {
    return true;
  }
  if (!articles.has(text.word(at))) {
    return false;
  }
  const [first, second] = [text.word(at - 2), text.before(at)];
  return text.startsSentence(at) || wantingWords.has(second) || wantingPairs.has(`${first}_${second}`);
}

function isAskedFor(text: Text, start: number): boolean {
  const at = beforeFillers(text, start);
  return at >= 0 && askingWords.has(text.word(at));
}

/** The token before a family and its fillers; -1 if the text or another clause begins there. */
function beforeFillers(text: Text, start: number): number {
  let at = start;
  while (fillers.has(text.before(at))) {
    at -= 1;
  }
  return at === 0 || text.startsSentence(at) ? -1 : text.before(at) === "" ? at : at - 1;
}
