/** The hub label of what most models of a family do, where a family does one thing. */
// biome-ignore format: a table
const taskOfFamily: ReadonlyMap<string, string> = new Map([
  ...[
    "qwen", "llama", "mistral", "gemma", "deepseek", "phi", "glm", "granite", "gpt-oss", "yi", "olmo", "smollm",
    "tinyllama", "falcon", "internlm", "baichuan", "command", "apertus", "bielik", "exaone", "nemotron", "lfm",
    "minimax", "kimi", "eurollm", "solar", "starcoder",
  ].map((family) => [family, "text-generation"] as const),
  ["whisper", "automatic-speech-recognition"],
  ["parakeet", "automatic-speech-recognition"],
  ["stable-diffusion", "text-to-image"],
  ["flux", "text-to-image"],
  ["z-image", "text-to-image"],
  ["wan", "text-to-video"],
  ["ltx", "text-to-video"],
  ["bge", "feature-extraction"],
  ["e5", "feature-extraction"],
  ["gte", "feature-extraction"],
  ["minilm", "sentence-similarity"],
  ["nomic-embed", "feature-extraction"],
  ["potion", "feature-extraction"],
]);

/** Names of parts of a model, of experiments, and of models made for measuring others. */
const part =
  /(?<![a-z])(?:vaes?|taesd|clip|encoder|decoder|controlnet|loras?|adapter|tokenizer|aligner|speculator|eagle|draft|dflash|upscaler|safety|random|dummy|test|reward|rm|prm|genrm|classif\w*|detect\w*|guard)(?![a-z])/;

/** Names of models of a family of language models that do something else. */
const notText =
  /(?<![a-z])(?:vl|vlm|smolvlm|colqwen|vision|omni|audio|voxtral|pixtral|speech|tts|asr|stt|ocr|image|video|timeseries|ttm|embed\w*|rerank\w*|retriev\w*|colbert|sts|nli|toxic\w*|sentiment|paligemma|translategemma|embeddinggemma|multimodal|it-assistant)(?![a-z])|\dv(?![a-z0-9])/;

/**
 * The hub label of a model without one, from what its lineage does, or from a tag for chat templates; undefined when
 * its name tells that it does something else, and where the family does many things.
 */
export function taskOfLineage(family: string, name: string, chats: boolean): string | undefined {
  const task = taskOfFamily.get(family) ?? (chats ? "text-generation" : undefined);
  if (task === undefined) return undefined;
  const short = name.slice(name.indexOf("/") + 1).toLowerCase();
  return part.test(short) || (task === "text-generation" && notText.test(short)) ? undefined : task;
}
