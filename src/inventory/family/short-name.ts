/** Parts of a name that tell a form of a model rather than which model it is. */
const formPart =
  /^(?:gguf|ggml|awq|gptq|exl[23]|mlx|onnx|openvino|ov|coreml|bnb|nf4|fp(?:4|8|16|32)|bf16|f16|f32|nvfp4|mxfp[48]|int[248]|[wb]\d+a\d+|\d+bits?|[iq]q?\d(?:_.*)?|k|s|m|quantized|quant|qat|dynamic|static|imatrix|i1|ct2?|hf|safetensors|pytorch|tf|comfyui?|repackaged|diffusers|unsloth|abliterated|uncensored|heretic)$/;

/** Parts that tell a version, a size or a stage of training. */
const variantPart =
  /^(?:v?\d+(?:[.p]\d+)*[a-z]?|r\d+|a?\d+(?:\.\d+)?[bmk]|e\d+b|\d+x\d+b|\d+(?:hz|khz|l|steps?|px|d|shot)|instruct|chat|it|pt|base|sft|dpo|rl|preview|test|dev|nano|micro|tiny|mini|small|medium|large|big|huge|giant|xs|sm|md|lg|xl|xxl|xsmall|xlarge|en|uncased|cased|finetuned|final|latest|model|release)$/;

/**
 * The name of a model without its owner, version, size, format and quantization, in [a-z0-9-]: what the family of a
 * model of unknown lineage is called. Never empty.
 */
export function shortName(name: string): string {
  const [owner = "", own = ""] = name.includes("/") ? name.split("/") : ["", name];
  return stripped(own) || stripped(owner) || plain(own) || codePoints(own || owner);
}

function stripped(text: string): string {
  const parts = text
    .normalize("NFKD")
    .toLowerCase()
    .split(/[^a-z0-9.]+/)
    .map((part) => part.replace(/^\.+|\.+$/g, ""))
    .filter((part) => part !== "");
  if (parts.every((part) => formPart.test(part) || variantPart.test(part))) return "";
  const kept = parts.filter((part, i) => i === 0 || !(formPart.test(part) || variantPart.test(part)));
  // A version glued to the last letters of the first word: nuextract3, step3.
  const words = kept.map((part) => part.replace(/(?<=[a-z]{3})-?v?\d+(?:[.]\d+)*$/, ""));
  return plain(words.slice(0, 4).join("-"));
}

function plain(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60)
    .replace(/-+$/, "");
}

/** A name without a Latin letter or digit is spelt by its code points, so that it has a family of its own. */
function codePoints(text: string): string {
  return [...text].slice(0, 8).map((char) => `u${(char.codePointAt(0) as number).toString(16)}`).join("-") || "unnamed";
}
