import { isFormPart, isVariantPart, nameParts } from "./short-name.ts";

/** Marks in the name of a repository that only has a model in another format. */
const formMark =
  /(?:^|[-_.])(?:gguf|ggml|awq|gptq|exl[23]|mlx|mlc|onnx|openvino|coreml|litert|bnb|fp8|nvfp4|mxfp[48]|int[48]|w[48]a(?:4|8|16)|[2-8]bits?|q[2-8](?:_[0k](?:_[sml])?|f\d+)?|quantized|autoround|ct2|ctranslate2)(?:$|[-_.])/i;

/** Whisper in CTranslate2's format. */
const fasterWhisper = /^faster-(?:distil-)?whisper-/i;

/** Accounts that publish others' models in another format, under the original's name. */
// biome-ignore format: a table
const converters: ReadonlySet<string> = new Set([
  "mlx-community", "xenova", "onnx-community", "litert-community", "mlc-ai", "lmstudio-community", "systran", "rhasspy",
]);

/** Accounts that publish unchanged copies of others' models, under the same name. */
const mirrors: ReadonlySet<string> = new Set([
  "unsloth",
  "nousresearch",
  "camenduru",
  "comfy-org",
  "lmsys",
  "ivrit-ai",
]);

/** Words in the names of models that were trained further, altered, or made for another task. */
const alteration =
  /^(?:embed(?:dings?)?|rerank(?:er)?|reward|guard|abliterated|ablated|uncensored|heretic|derestricted|obliterated|distill?(?:ed)?|finetuned?|ft|lora|merged?|roleplay|reasoning|claude|opus|crack|speculator|eagle3?|dflash|draft|sft|dpo)$/;

/** The accounts that publish the originals of a line, by the beginning of their models' names. */
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

/** The relation of a repackaging to its original. */
export interface Repackaging {
  /** The original, `owner/model`. */
  base: string;
}

/**
 * Finds the model that a repository has in another format without further training; undefined if it has a model of its
 * own.
 *
 * The declared base counts if the name contains only the base's name and a format. Else the base is derived from a name
 * that contains a format, if the other words are those that the maker of the line uses.
 *
 * @param declaredBase the base model that the source names.
 * @param quantized whether the source says that the base was quantized; the hub says so of exports and distillations
 * too, so the name must agree.
 */
export function repackagingOf(
  name: string,
  declaredBase: string | undefined,
  quantized: boolean,
): Repackaging | undefined {
  const slash = name.indexOf("/");
  const owner = name.slice(0, slash).toLowerCase();
  const short = name.slice(slash + 1).replace(/\.(?=w\d|gguf|gptq|awq|q\d)/gi, "-");
  const mark = formMark.exec(short)?.index;
  if (
    declaredBase !== undefined &&
    mirrors.has(owner) &&
    declaredBase.slice(declaredBase.indexOf("/") + 1).toLowerCase() === short.toLowerCase()
  ) {
    return { base: declaredBase };
  }
  const converted = converters.has(owner) || fasterWhisper.test(short);
  if (mark === undefined && !converted && !quantized) {
    return undefined;
  }
  // The words after the format describe it: NVFP4-v2, GPTQ-4b-128g.
  const original = mark === undefined ? short : short.slice(0, mark);
  const parts = nameParts(original).filter((part) => !isFormPart(part));
  const behind = nameParts(short.slice(original.length));
  if (behind.some((part) => alteration.test(part))) {
    return undefined;
  }
  if (declaredBase !== undefined && declaredBase.toLowerCase() !== name.toLowerCase()) {
    if (isNameOfBase({ parts, behind, marked: mark !== undefined, converted }, declaredBase)) {
      return { base: declaredBase };
    }
  }
  return mark !== undefined || converted ? derived(short, original, parts) : undefined;
}

interface FormName {
  /** The parts of the name before its format. */
  parts: readonly string[];
  /** The parts from the format on. */
  behind: readonly string[];
  /** Whether the name contains a format. */
  marked: boolean;
  /** Whether its account only publishes converted models. */
  converted: boolean;
}

/** Whether a name contains only the words of a declared base, a format and the packager's own words. */
function isNameOfBase({ parts, behind, marked, converted }: FormName, base: string): boolean {
  const known = new Set(nameParts(base));
  const baseParts = nameParts(base.slice(base.indexOf("/") + 1)).filter((part) => !isFormPart(part));
  if (parts.join("") === baseParts.join("")) {
    return true;
  }
  const more = parts.filter((part) => !known.has(part));
  const lost = baseParts.filter((part) => !parts.includes(part) && !behind.includes(part));
  // A copied card names the base of the original, which has the original's name and "Base".
  if (more.length === 0 && (marked || converted)) {
    return lost.every((part) => !/\d|^(?:base|pt)$/.test(part));
  }
  if (lost.length > 0 || more.length > 2 || more.some((part) => alteration.test(part))) {
    return false;
  }
  if (more.length === 0) {
    return true;
  }
  // The packager's own words are the prefix of an account or the name of a method. A version or size means another
  // model, except that accounts which only convert add versions.
  return (marked || converted) && more.every((part) => !isVariantPart(part) || (converted && /^v\d/.test(part)));
}

/** Names of lines whose makers are known. */
const lineWord =
  /^(?:llama|(?:qwen|qwq|qvq)[\d.]*|mistral|mixtral|ministral|magistral|devstral|codestral|pixtral|voxtral|mathstral|(?:med|embedding|translate|pali|diffusion)?gemma\d?|deepseek|phi|glm|gpt|whisper|granite|smol(?:lm|vlm)\d?|bge|e5|kimi|minimax|exaone|step|ltx|flux\.?\d?|tinyllama|lfm[\d.]*|olmo\d?|hunyuan|internvl[\d.]*|minicpm[\d.]*|paddleocr|parakeet|falcon\d?|yi|nomic|snowflake|jina|apertus)$/;

/** Words that these makers use in the names of their models besides the line. */
const makersWord =
  /^(?:v?\d+(?:\.\d+)*|a?\d+(?:\.\d+)?[bm]|e\d+b|\d+e|\d+x\d+b|[48]k|128k|[lkmr]\d+(?:\.\d)?|meta|oss|faster|instruct|chat|it|pt|base|preview|exp|tiny|mini|small|medium|large|plus|pro|max|en|zh|coder|code|vl|omni|math|audio|vision|speech|multimodal|embedding|reranker|thinking|reasoning|next|flash|air|lite|scout|maverick|nemo|distill|multilingual|moe|guard|prompt|turbo|klein|all|minilm|mpnet|paraphrase|asr|tts|ocr|mt|o|v|tdt|ctc|rnnt|embed|embeddings|text|arctic)$/;

function derived(short: string, original: string, parts: readonly string[]): Repackaging | undefined {
  if (parts.length < 2 || !parts.every((part) => lineWord.test(part) || makersWord.test(part))) {
    return undefined;
  }
  // Two lines in a name mean a merge, unless the maker calls it a distillation.
  if (parts.filter((part) => lineWord.test(part)).length > 1 && !parts.includes("distill")) {
    return undefined;
  }
  const kept = withoutForms(original)
    .replace(/^faster-(?=whisper)/i, "")
    .replace(/^Meta-(?=Llama-3\.)/i, "");
  const account = makers.find(([start]) => start.test(kept.toLowerCase()))?.[1];
  return account === undefined || kept === short ? undefined : { base: `${account}/${kept}` };
}

/** Removes the parts of a name that name a format; the rest stays as it is written. */
function withoutForms(short: string): string {
  return short
    .split(/(?=[-_])/)
    .filter((piece) => !isFormPart(piece.replace(/^[-_]/, "").toLowerCase()))
    .join("");
}
