import { isFormPart, isVariantPart, nameParts } from "./short-name.ts";

/** Marks of a repository that only holds another form of a model. */
const formMark =
  /(?:^|[-_.])(?:gguf|ggml|awq|gptq|exl[23]|mlx|mlc|onnx|openvino|coreml|litert|bnb|fp8|nvfp4|mxfp[48]|int[48]|w[48]a(?:4|8|16)|[2-8]bits?|q[2-8](?:_[0k](?:_[sml])?|f\d+)?|quantized|autoround|ct2|ctranslate2)(?:$|[-_.])/i;

/** Whisper in CTranslate2's form. */
const fasterWhisper = /^faster-(?:distil-)?whisper-/i;

/** Accounts that publish other forms of other makers' models, named as the original is. */
// biome-ignore format: a table
const converters: ReadonlySet<string> = new Set([
  "mlx-community", "xenova", "onnx-community", "litert-community", "mlc-ai", "lmstudio-community", "systran", "rhasspy",
]);

/** Accounts that publish copies of other makers' models, as they are and by the same name. */
const mirrors: ReadonlySet<string> = new Set([
  "unsloth",
  "nousresearch",
  "camenduru",
  "comfy-org",
  "lmsys",
  "ivrit-ai",
]);

/** Words of a model that was trained or altered further, or made for something else. */
const alteration =
  /^(?:embed(?:dings?)?|rerank(?:er)?|reward|guard|abliterated|ablated|uncensored|heretic|derestricted|obliterated|distill?(?:ed)?|finetuned?|ft|lora|merged?|roleplay|reasoning|claude|opus|crack|speculator|eagle3?|dflash|draft|sft|dpo)$/;

/** The accounts that publish the originals of a line, by the first part of their models' names. */
const makers: ReadonlyArray<readonly [start: RegExp, account: string]> = [
  [/^(?:qwen|qwq|qvq)/, "Qwen"],
  [/^tinyllama-/, "TinyLlama"],
  [/^lfm/, "LiquidAI"],
  [/^olmo/, "allenai"],
  [/^(?:hunyuan|hy-mt)/, "tencent"],
  [/^internvl/, "OpenGVLab"],
  [/^minicpm/, "openbmb"],
  [/^paddleocr/, "PaddlePaddle"],
  [/^parakeet-/, "nvidia"],
  [/^falcon/, "tiiuae"],
  [/^yi-/, "01-ai"],
  [/^nomic-embed/, "nomic-ai"],
  [/^snowflake-arctic-embed/, "Snowflake"],
  [/^jina-/, "jinaai"],
  [/^apertus-/, "swiss-ai"],
  [/^(?:meta-)?llama-(?:[234]|guard|prompt)/, "meta-llama"],
  [/^(?:mistral|mixtral|ministral|magistral|devstral|codestral|pixtral|voxtral|mathstral)/, "mistralai"],
  [/^(?:gemma|medgemma|embeddinggemma|translategemma|paligemma|diffusiongemma)/, "google"],
  [/^deepseek/, "deepseek-ai"],
  [/^phi-/, "microsoft"],
  [/^glm-/, "zai-org"],
  [/^gpt-oss/, "openai"],
  [/^whisper-/, "openai"],
  [/^granite-/, "ibm-granite"],
  [/^smol(?:lm|vlm)/, "HuggingFaceTB"],
  [/^bge-/, "BAAI"],
  [/^(?:multilingual-)?e5-/, "intfloat"],
  [/^(?:all-minilm|paraphrase-|all-mpnet|multi-qa)/, "sentence-transformers"],
  [/^kimi-/, "moonshotai"],
  [/^minimax-/, "MiniMaxAI"],
  [/^exaone-/, "LGAI-EXAONE"],
  [/^step-\d/, "stepfun-ai"],
  [/^ltx-/, "Lightricks"],
  [/^flux\./, "black-forest-labs"],
];

/** What a repository repackages. */
export interface Repackaging {
  /** The model in another form, `owner/model`. */
  base: string;
}

/**
 * What a repository is another form of, with nothing trained; undefined for a model in its own right.
 *
 * The told base counts when the name says no more than the base's name and a form. Else the base is derived from a
 * name that has a form, where what remains is made of words that its line's maker uses.
 *
 * @param told the base model that the source tells.
 * @param quantized whether the source says that the base was quantized; the hub says so of exports and distillations
 * too, so the name must agree.
 */
export function repackagingOf(name: string, told: string | undefined, quantized: boolean): Repackaging | undefined {
  const slash = name.indexOf("/");
  const owner = name.slice(0, slash).toLowerCase();
  const short = name.slice(slash + 1).replace(/\.(?=w\d|gguf|gptq|awq|q\d)/gi, "-");
  const mark = formMark.exec(short)?.index;
  if (
    told !== undefined &&
    mirrors.has(owner) &&
    told.slice(told.indexOf("/") + 1).toLowerCase() === short.toLowerCase()
  ) {
    return { base: told };
  }
  const converted = converters.has(owner) || fasterWhisper.test(short);
  if (mark === undefined && !converted && !quantized) {
    return undefined;
  }
  // What stands behind the form is about the form: NVFP4-v2, GPTQ-4b-128g.
  const original = mark === undefined ? short : short.slice(0, mark);
  const parts = nameParts(original).filter((part) => !isFormPart(part));
  const behind = nameParts(short.slice(original.length));
  if (behind.some((part) => alteration.test(part))) {
    return undefined;
  }
  if (told !== undefined && told.toLowerCase() !== name.toLowerCase()) {
    if (saysNoMore({ parts, behind, marked: mark !== undefined, converted }, told)) {
      return { base: told };
    }
  }
  return mark !== undefined || converted ? derived(short, original, parts) : undefined;
}

interface FormName {
  /** The parts of the name before its form. */
  parts: readonly string[];
  /** Those from there on. */
  behind: readonly string[];
  /** The name has a form. */
  marked: boolean;
  /** What publishes it is all converted. */
  converted: boolean;
}

/** Whether a name says no more than that of a told base, apart from the form and the packager's own words. */
function saysNoMore({ parts, behind, marked, converted }: FormName, base: string): boolean {
  const known = new Set(nameParts(base));
  const baseParts = nameParts(base.slice(base.indexOf("/") + 1)).filter((part) => !isFormPart(part));
  if (parts.join("") === baseParts.join("")) {
    return true;
  }
  const more = parts.filter((part) => !known.has(part));
  const lost = baseParts.filter((part) => !parts.includes(part) && !behind.includes(part));
  // A card that was copied with the model tells the base of that, which is named as it is and Base.
  if (more.length === 0 && (marked || converted)) {
    return lost.every((part) => !/\d|^(?:base|pt)$/.test(part));
  }
  if (lost.length > 0 || more.length > 2 || more.some((part) => alteration.test(part))) {
    return false;
  }
  if (more.length === 0) {
    return true;
  }
  // The packager's own words: another account's prefix, the name of a method. A version or size is another model; who
  // only converts may have added the version.
  return (marked || converted) && more.every((part) => !isVariantPart(part) || (converted && /^v\d/.test(part)));
}

/** Names of lines whose makers are known. */
const lineWord =
  /^(?:llama|(?:qwen|qwq|qvq)[\d.]*|mistral|mixtral|ministral|magistral|devstral|codestral|pixtral|voxtral|mathstral|(?:med|embedding|translate|pali|diffusion)?gemma\d?|deepseek|phi|glm|gpt|whisper|granite|smol(?:lm|vlm)\d?|bge|e5|kimi|minimax|exaone|step|ltx|flux\.?\d?|tinyllama|lfm[\d.]*|olmo\d?|hunyuan|internvl[\d.]*|minicpm[\d.]*|paddleocr|parakeet|falcon\d?|yi|nomic|snowflake|jina|apertus)$/;

/** Words that those makers use in the names of their models, beside the line. */
const makersWord =
  /^(?:v?\d+(?:\.\d+)*|a?\d+(?:\.\d+)?[bm]|e\d+b|\d+e|\d+x\d+b|[48]k|128k|[lkmr]\d+(?:\.\d)?|meta|oss|faster|instruct|chat|it|pt|base|preview|exp|tiny|mini|small|medium|large|plus|pro|max|en|zh|coder|code|vl|omni|math|audio|vision|speech|multimodal|embedding|reranker|thinking|reasoning|next|flash|air|lite|scout|maverick|nemo|distill|multilingual|moe|guard|prompt|turbo|klein|all|minilm|mpnet|paraphrase|asr|tts|ocr|mt|o|v|tdt|ctc|rnnt|embed|embeddings|text|arctic)$/;

function derived(short: string, original: string, parts: readonly string[]): Repackaging | undefined {
  if (parts.length < 2 || !parts.every((part) => lineWord.test(part) || makersWord.test(part))) {
    return undefined;
  }
  // Two lines in a name are a mixture, but for what a maker calls a distillation.
  if (parts.filter((part) => lineWord.test(part)).length > 1 && !parts.includes("distill")) {
    return undefined;
  }
  const kept = withoutForms(original)
    .replace(/^faster-(?=whisper)/i, "")
    .replace(/^Meta-(?=Llama-3\.)/i, "");
  const account = makers.find(([start]) => start.test(kept.toLowerCase()))?.[1];
  return account === undefined || kept === short ? undefined : { base: `${account}/${kept}` };
}

/** A name without its parts that tell a form, as it was written otherwise. */
function withoutForms(short: string): string {
  return short
    .split(/(?=[-_])/)
    .filter((piece) => !isFormPart(piece.replace(/^[-_]/, "").toLowerCase()))
    .join("");
}
