import type { Model } from "./model.ts";

/**
 * When a line of models came out, as year-month of its first public release by its makers. By series where the family
 * has several, else by family. A line that is not here has no known date; dates are from the makers' announcements.
 */
const releases: Readonly<Record<string, string>> = {
  // Language models
  gpt2: "2019-02", "gpt-neo": "2021-03", "gpt-neox": "2022-02", opt: "2022-05", bloom: "2022-07", pythia: "2023-04",
  t5: "2019-10", "flan-t5": "2022-10", bart: "2019-10", pegasus: "2019-12", mbart: "2020-01", m2m100: "2020-10",
  nllb: "2022-07", marian: "2020-05", "opus-mt": "2020-05", madlad: "2023-09", tapas: "2020-04", dialogpt: "2019-11",
  "llama-2": "2023-07", codellama: "2023-08", "llama-3": "2024-04", "llama-3.1": "2024-07", "llama-3.2": "2024-09",
  "llama-3.3": "2024-12", "llama-4": "2025-04", tinyllama: "2023-12", vicuna: "2023-03",
  "mistral-7b": "2023-09", mixtral: "2023-12", "mistral-nemo": "2024-07", codestral: "2024-05", ministral: "2024-10",
  "mistral-small": "2025-01", "devstral-small": "2025-05", "devstral-small-2": "2025-12", "ministral-3": "2025-12",
  qwen: "2023-08", "qwen1.5": "2024-02", qwen2: "2024-06", "qwen2-vl": "2024-08", "qwen2-audio": "2024-08",
  "qwen2.5": "2024-09", "qwen2.5-coder": "2024-09", "qwen2.5-math": "2024-09", qwq: "2024-11", "qwen2.5-vl": "2025-01",
  "qwen2.5-omni": "2025-03", qwen3: "2025-04", "qwen3-embedding": "2025-06", "qwen3-reranker": "2025-06",
  "qwen3-coder": "2025-07", "qwen-image": "2025-08", "qwen-image-edit": "2025-08", "qwen3-vl": "2025-09",
  "gemma-1": "2024-02", codegemma: "2024-04", "gemma-2": "2024-06", paligemma: "2024-05", "gemma-3": "2025-03",
  "gemma-3n": "2025-05", embeddinggemma: "2025-09", medgemma: "2025-05",
  "phi-1": "2023-06", "phi-1.5": "2023-09", "phi-2": "2023-12", "phi-3": "2024-04", "phi-3.5": "2024-08", "phi-4": "2024-12",
  "deepseek-coder": "2023-11", "deepseek-v2": "2024-05", "deepseek-coder-v2": "2024-06", "deepseek-v3": "2024-12",
  "deepseek-r1": "2025-01", "deepseek-r1-distill": "2025-01", "deepseek-v3.1": "2025-08", "deepseek-v3.2": "2025-09",
  falcon: "2023-05", falcon3: "2024-12", starcoder: "2023-05", "starcoder-2": "2024-02", codegen: "2022-03",
  santacoder: "2022-12", yi: "2023-11", "yi-1.5": "2024-05", "yi-coder": "2024-09", internlm2: "2024-01",
  "olmo-1": "2024-02", "olmo-2": "2024-11", "olmo-3": "2025-11", smollm: "2024-07", smollm2: "2024-11", smollm3: "2025-07",
  "gpt-oss": "2025-08", "granite-3.0": "2024-10", "granite-3.1": "2024-12", "granite-3.2": "2025-02",
  "granite-3.3": "2025-04", "granite-4.0": "2025-10", "glm-4": "2024-06", "glm-4.5": "2025-07", "glm-4.6": "2025-09",
  "kimi-k2": "2025-07", "ernie-4.5": "2025-06", "exaone-3.5": "2024-12", "exaone-4.0": "2025-07", lfm2: "2025-07",
  "lfm2.5": "2026-01", opencoder: "2024-11", "minimax-m2": "2025-10",
  // Encoders and embeddings
  bert: "2018-10", roberta: "2019-07", distilbert: "2019-08", "xlm-roberta": "2019-11", camembert: "2019-11",
  albert: "2019-09", electra: "2020-03", deberta: "2020-06", "deberta-v3": "2021-11", modernbert: "2024-12",
  longformer: "2020-04", minilm: "2020-02", mpnet: "2020-04", e5: "2022-12", "multilingual-e5": "2023-05",
  "bge-v1.5": "2023-09", "bge-m3": "2024-01", "bge-reranker": "2023-09", "bge-reranker-v2": "2024-03", gte: "2023-08",
  "nomic-embed-text-v1.5": "2024-02", "jina-embeddings-v2": "2023-10", "arctic-embed": "2024-04", colbert: "2020-04",
  gliner: "2023-11", fasttext: "2016-07",
  // Vision and images
  resnet: "2015-12", mobilenet: "2017-04", efficientnet: "2019-05", vit: "2020-10", detr: "2020-05", clip: "2021-01",
  swin: "2021-03", segformer: "2021-05", yolos: "2021-06", dpt: "2021-03", dino: "2021-04", dinov2: "2023-04",
  dinov3: "2025-08", trocr: "2021-09", convnext: "2022-01", convnextv2: "2023-01", mask2former: "2021-12",
  blip: "2022-01", "blip-2": "2023-01", sam: "2023-04", sam2: "2024-07", siglip: "2023-03", siglip2: "2025-02",
  "grounding-dino": "2023-03", "depth-anything": "2024-01", "depth-anything-v2": "2024-06", "florence-2": "2024-06",
  donut: "2021-11", llava: "2023-04", "llava-1.5": "2023-10", smolvlm: "2024-11", smolvlm2: "2025-02",
  videomae: "2022-03", timesformer: "2021-02", vitpose: "2022-04", rtdetr: "2023-04", yolov8: "2023-01",
  "stable-diffusion": "2022-08", "stable-diffusion-v1": "2022-08", "stable-diffusion-2": "2022-11",
  "stable-diffusion-xl": "2023-07", sdxl: "2023-07", "stable-diffusion-3": "2024-06", "stable-diffusion-3.5": "2024-10",
  "flux.1": "2024-08", "flux.2": "2025-11", "z-image": "2025-11", "wan2.1": "2025-02", "wan2.2": "2025-07",
  // Audio and time series
  wav2vec2: "2020-06", xlsr: "2020-06", hubert: "2021-06", whisper: "2022-09", "whisper-tiny": "2022-09",
  "whisper-base": "2022-09", "whisper-small": "2022-09", "whisper-medium": "2022-09", "whisper-large-v2": "2022-12",
  "whisper-large-v3": "2023-11", speecht5: "2021-10", mms: "2023-05", bark: "2023-04", "xtts-2": "2023-11",
  musicgen: "2023-06", kokoro: "2024-12", "chronos-t5": "2024-03", "chronos-bolt": "2024-11", "chronos-2": "2025-10",
};

/** When the line that a model belongs to came out, in milliseconds since 1970; undefined when that is not known. */
export function releasedAt(model: Pick<Model, "family" | "series">): number | undefined {
  const { family, series } = model;
  // A series that is not listed may be any age; its family's date would make a new one look old.
  return dates.get(series ?? family);
}

const dates: ReadonlyMap<string, number> = new Map(
  Object.entries(releases).map(([line, month]) => [line, Date.parse(`${month}-01T00:00:00Z`)]),
);
