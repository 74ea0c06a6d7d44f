/** Parts of a name that name a format and not the model. */
const formPart =
  /^(?:gguf|ggml|awq|gptq|exl[23]|mlx|mlc|onnx|openvino|ov|coreml|litert|lm|tflite|executorch|crispasr|sherpa|bnb|nf4|hqq|aqlm|fp(?:4|8|16|32)|bf16|f16|f32|nvfp4|mxfp[48]|int[248]|[wb]\d+(?:g\d+|a\d+)?|\d+bits?|g?\d+g|g\d+|[iq]q?\d(?:f\d+)?|q\d[kf]\d*|[ksmq0]|quantized|unquantized|quant|qat|dynamic|static|block|imatrix|imat|i1|ct2?|ctranslate2|hf|safetensors|pytorch|tf|comfy(?:ui)?|repackaged|diffusers|unsloth|autoround|mtp|ud|turbo\d|scaled|archive|mirror)$/;

/** Parts that name a version, a size or a stage of training. */
const variantPart =
  /^(?:v?\d+(?:[.p]\d+)*[a-z]?|r\d+|a?\d+(?:\.\d+)?[bmk]|e\d+b|\d+e|\d+x\d+b|\d+(?:hz|khz|l|steps?|px|d|shot)|instruct|chat|it|pt|base|sft|dpo|rl|preview|test|testing|dev|dummy|random|nano|micro|tiny|mini|small|medium|large|big|huge|giant|xs|sm|md|lg|xl|xxl|xsmall|xlarge|en|uncased|cased|finetuned|final|latest|models?|release)$/;

/** The parts after this one describe the quantization: apex-i-quality. */
const methodPart = /^(?:apex)$/;

/** Splits a name into parts in lower case, with a version in one piece: `Qwen2.5-VL_7B` is qwen2.5, vl, 7b. */
export function nameParts(text: string): string[] {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/(?<=[a-z])\.(?=[a-z])/g, "-")
    .split(/[^a-z0-9.]+/)
    .map((part) => part.replace(/^\.+|(?<!\.)\.+$/g, ""))
    .filter((part) => part !== "");
}

/** Whether a part of a name names a format, a quantization or a packaging. */
export function isFormPart(part: string): boolean {
  return part.includes(".") ? part.split(".").every((piece) => formPart.test(piece)) : formPart.test(part);
}

/** Whether a part of a name names a version, a size or a stage of training. */
export function isVariantPart(part: string): boolean {
  return variantPart.test(part);
}

/**
 * The name of a model without its owner, version, size, format and quantization, in [a-z0-9-]. It is the family of a
 * model of unknown lineage. Never empty.
 */
export function shortName(name: string): string {
  const [owner = "", own = ""] = name.includes("/") ? name.split("/") : ["", name];
  if (plain(own) === "" && /[\p{L}\p{N}]/u.test(own)) {
    return codePoints(own);
  }
  return stripped(own) || stripped(owner) || plain(own) || plain(owner) || "unnamed";
}

function stripped(text: string): string {
  const all = nameParts(text);
  const method = all.findIndex((part, i) => i > 0 && methodPart.test(part));
  const parts = method === -1 ? all : all.slice(0, method);
  const saysLittle = (part: string) => isFormPart(part) || variantPart.test(part);
  const kept = parts.filter(
    (part, i) => (i === 0 && !/^(?:\d+[bmk]?|tiny|dummy|random)$/.test(part)) || !saysLittle(part),
  );
  if (kept.every(saysLittle)) {
    return "";
  }
  // A version right after the last letters of a word: nuextract3, step3.
  const words = kept.map((part) => part.replace(/(?<=[a-z]{3})-?v?\d+(?:[.]\d+)*$/, ""));
  return plain(words.slice(0, 4).join("-"));
}

function plain(text: string): string {
  return nameParts(text)
    .join("-")
    .replaceAll(".", "-")
    .slice(0, 60)
    .replace(/(?<!-)-+$/, "");
}

/** Writes a name without Latin letters and digits as code points, so that each such name is its own family. */
function codePoints(text: string): string {
  return [...text]
    .slice(0, 8)
    .map((char) => `u${(char.codePointAt(0) as number).toString(16)}`)
    .join("-");
}
