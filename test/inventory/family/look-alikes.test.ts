import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Model } from "../../../src/inventory/facts/model.ts";
import { normalise } from "../../../src/inventory/facts/normalise.ts";
import { lineageOf } from "../../../src/inventory/family/family.ts";
import { lineages } from "../../../src/inventory/family/lineages.ts";
import { hubModels } from "../../support/fixtures.ts";

/** The answer of a person who knows the model's name, its base model and the relevant tags. */
interface Label {
  name: string;
  family: string;
  series?: string;
  base?: string;
  tags?: string[];
}

// biome-ignore format: one label on each line
const namesAlike: Label[] = [
  // BERT's relatives, by what their authors call them.
  { name: "google-bert/bert-base-uncased", tags: ["bert"], family: "bert" },
  { name: "FacebookAI/roberta-base", tags: ["roberta"], family: "roberta" },
  { name: "FacebookAI/xlm-roberta-base", tags: ["xlm-roberta"], family: "xlm-roberta" },
  { name: "someone/legal-xlm-roberta-base", tags: ["roberta"], family: "xlm-roberta" },
  { name: "hfl/chinese-roberta-wwm-ext", tags: ["bert"], family: "roberta" },
  { name: "microsoft/deberta-v3-base", tags: ["deberta-v2"], family: "deberta", series: "deberta-v3" },
  { name: "almanach/camemberta-base", tags: ["deberta-v2"], family: "deberta" },
  { name: "distilbert/distilbert-base-uncased", tags: ["distilbert"], family: "distilbert" },
  { name: "distilbert/distilroberta-base", tags: ["roberta"], family: "roberta", series: "distilroberta" },
  { name: "albert/albert-base-v2", tags: ["albert"], family: "albert" },
  { name: "almanach/camembert-base", tags: ["camembert"], family: "camembert" },
  { name: "google/mobilebert-uncased", tags: ["mobilebert"], family: "mobilebert" },
  { name: "cisco-ai/SecureBERT2.0-biencoder", base: "cisco-ai/SecureBERT2.0-base", tags: ["modernbert"], family: "modernbert" },
  { name: "EuroBERT/EuroBERT-210m", family: "eurobert" },
  { name: "nlpaueb/legal-bert-base-uncased", family: "bert" },
  { name: "dmis-lab/biobert-v1.1", family: "bert" },
  { name: "seyonec/ChemBERTa-zinc-base-v1", tags: ["roberta"], family: "roberta" },
  { name: "microsoft/codebert-base", tags: ["roberta"], family: "roberta" },
  { name: "ElKulako/cryptobert", tags: ["roberta"], family: "roberta" },
  { name: "dccuchile/beto-cased", family: "bert" },
  { name: "google/muril-base-cased", family: "bert" },
  { name: "facebook/bart-large-cnn", tags: ["bart"], family: "bart" },
  { name: "facebook/mbart-large-50", tags: ["mbart"], family: "mbart" },
  { name: "google/bigbird-roberta-base", tags: ["big_bird"], family: "bigbird" },
  { name: "google/electra-base-discriminator", family: "electra" },
  // T5's.
  { name: "google-t5/t5-small", family: "t5" },
  { name: "google/flan-t5-large", family: "t5", series: "flan-t5" },
  { name: "google/mt5-base", tags: ["mt5"], family: "t5", series: "mt5" },
  { name: "google/umt5-xxl", family: "t5", series: "umt5" },
  { name: "google/byt5-small", family: "t5", series: "byt5" },
  { name: "Salesforce/codet5p-220m", family: "t5", series: "codet5p" },
  { name: "cointegrated/rut5-base-absum", family: "t5" },
  { name: "sentence-transformers/sentence-t5-base", family: "t5" },
  { name: "google/t5gemma-2b-2b-prefixlm-it", family: "gemma", series: "t5gemma" },
  // CLIP's.
  { name: "openai/clip-vit-large-patch14", family: "clip" },
  { name: "google/siglip-so400m-patch14-384", tags: ["siglip"], family: "siglip" },
  { name: "timm/ViT-B-16-SigLIP2-256", tags: ["open_clip", "clip", "siglip"], family: "siglip", series: "siglip2" },
  { name: "Marqo/marqo-fashionSigLIP", tags: ["open_clip", "siglip", "clip"], family: "siglip" },
  { name: "patrickjohncyh/fashion-clip", family: "clip" },
  { name: "M-CLIP/XLM-Roberta-Large-Vit-B-16Plus", family: "clip" },
  { name: "CIDAS/clipseg-rd64-refined", tags: ["clipseg"], family: "clipseg" },
  { name: "microsoft/xclip-base-patch32", family: "xclip" },
  { name: "laion/clap-htsat-fused", family: "clap" },
  // Models with llama in their name, and models without.
  { name: "meta-llama/Llama-2-7b-chat-hf", family: "llama", series: "llama-2" },
  { name: "TinyLlama/TinyLlama-1.1B-Chat-v1.0", tags: ["llama"], family: "tinyllama" },
  { name: "codellama/CodeLlama-34b-Instruct-hf", family: "llama", series: "codellama" },
  { name: "openlm-research/open_llama_3b_v2", tags: ["llama"], family: "openllama" },
  { name: "lmsys/vicuna-13b-v1.5", tags: ["llama"], family: "llama" },
  { name: "someone/L3.3-70B-Euryale-v2.3-GGUF", family: "llama" },
  { name: "DAMO-NLP-SG/VideoLLaMA3-7B", tags: ["videollama3_qwen2"], family: "videollama" },
  { name: "time-series-foundation-models/Lag-Llama", family: "lag-llama" },
  { name: "BSC-LT/salamandra-7b-instruct", tags: ["llama"], family: "salamandra" },
  { name: "utter-project/EuroLLM-9B-Instruct", tags: ["llama"], family: "eurollm" },
  { name: "infly/OpenCoder-8B-Instruct", tags: ["llama"], family: "opencoder" },
  { name: "deepseek-ai/deepseek-coder-6.7b-instruct", tags: ["llama"], family: "deepseek", series: "deepseek-coder" },
  { name: "someone/ollama-helper-model", tags: ["llama-cpp"], family: "ollama-helper" },
  // Mistral's.
  { name: "mistralai/Mixtral-8x22B-Instruct-v0.1", family: "mistral", series: "mixtral-8x22b" },
  { name: "mistralai/Ministral-8B-Instruct-2410", family: "mistral", series: "ministral" },
  { name: "mistralai/Magistral-Small-2509", family: "mistral", series: "magistral-small" },
  { name: "mistralai/Pixtral-12B-2409", family: "mistral", series: "pixtral" },
  { name: "BioMistral/BioMistral-7B", family: "mistral" },
  { name: "teknium/OpenHermes-2.5-Mistral-7B", family: "mistral" },
  { name: "Intel/neural-chat-7b-v3-1", family: "mistral" },
  { name: "someone/MN-12B-Mag-Mell-R1-GGUF", family: "mistral" },
  // Gemma's, Phi's and Qwen's.
  { name: "google/codegemma-7b-it", family: "gemma", series: "codegemma" },
  { name: "google/paligemma2-3b-pt-224", family: "gemma", series: "paligemma2" },
  { name: "google/shieldgemma-2b", family: "gemma", series: "shieldgemma" },
  { name: "google/embeddinggemma-300m", family: "gemma", series: "embeddinggemma" },
  { name: "Jiunsong/supergemma4-26b-uncensored", family: "gemma" },
  { name: "microsoft/Phi-3-mini-4k-instruct", family: "phi", series: "phi-3" },
  { name: "someone/philosopher-7b", tags: ["mistral"], family: "mistral" },
  { name: "Qwen/Qwen2-VL-7B-Instruct", tags: ["qwen2_vl"], family: "qwen", series: "qwen2-vl" },
  { name: "Qwen/Qwen2.5-Omni-7B", family: "qwen", series: "qwen2.5-omni" },
  { name: "Qwen/CodeQwen1.5-7B-Chat", family: "qwen" },
  { name: "Qwen/QVQ-72B-Preview", family: "qwen", series: "qvq" },
  { name: "Qwen/Qwen3-Next-80B-A3B-Thinking", family: "qwen", series: "qwen3-next" },
  // Vision.
  { name: "facebook/sam-vit-base", tags: ["sam"], family: "sam" },
  { name: "facebook/sam2.1-hiera-large", family: "sam", series: "sam2.1" },
  { name: "someone/samurai-diffusion", tags: ["diffusers:StableDiffusionPipeline"], family: "stable-diffusion" },
  { name: "facebook/dino-vits16", family: "dino" },
  { name: "facebook/dinov3-vitb16-pretrain-lvd1689m", family: "dino", series: "dinov3" },
  { name: "timm/vit_base_patch16_224.dino", family: "dino" },
  { name: "IDEA-Research/grounding-dino-base", tags: ["grounding-dino"], family: "grounding-dino" },
  { name: "Ultralytics/YOLO11", family: "yolo", series: "yolo11" },
  { name: "hustvl/yolos-tiny", tags: ["yolos"], family: "yolo", series: "yolos" },
  { name: "facebook/detr-resnet-101", family: "detr" },
  { name: "microsoft/table-transformer-detection", family: "table-transformer" },
  { name: "nvidia/segformer-b0-finetuned-ade-512-512", family: "segformer" },
  { name: "timm/resnet50.a1_in1k", family: "resnet" },
  { name: "timm/convnext_tiny.in12k_ft_in1k", family: "convnext" },
  { name: "timm/swinv2_tiny_window8_256.ms_in1k", family: "swin", series: "swinv2" },
  { name: "timm/tf_efficientnetv2_s.in21k", family: "efficientnet", series: "efficientnetv2" },
  { name: "timm/mobilenetv3_small_100.lamb_in1k", family: "mobilenet", series: "mobilenetv3" },
  { name: "timm/tiny_vit_21m_224.in1k", family: "tinyvit" },
  { name: "someone/tiny-vit-random", family: "vit" },
  { name: "google/vit-base-patch16-224-in21k", family: "vit" },
  { name: "facebook/deit-tiny-patch16-224", family: "deit" },
  { name: "apple/mobilevit-small", family: "mobilevit" },
  { name: "Organika/sdxl-detector", tags: ["swin"], family: "swin" },
  // Images.
  { name: "stabilityai/sdxl-turbo", family: "stable-diffusion", series: "stable-diffusion-xl" },
  { name: "stabilityai/stable-diffusion-3.5-large", family: "stable-diffusion", series: "stable-diffusion-3.5" },
  { name: "lllyasviel/control_v11p_sd15_canny", family: "stable-diffusion", series: "stable-diffusion-v1-5" },
  { name: "prompthero/openjourney", family: "stable-diffusion" },
  { name: "Linaqruf/anything-v3.0", family: "stable-diffusion" },
  { name: "stabilityai/stablelm-2-1_6b", family: "stablelm" },
  { name: "stabilityai/stable-audio-open-1.0", family: "stable-audio" },
  { name: "black-forest-labs/FLUX.1-Kontext-dev", family: "flux", series: "flux.1" },
  { name: "google/ddpm-cat-256", family: "ddpm" },
  { name: "Wan-AI/Wan2.2-T2V-A14B-Diffusers", family: "wan", series: "wan2.2" },
  { name: "tencent/HunyuanVideo-1.5", family: "hunyuan" },
  // Sound.
  { name: "facebook/wav2vec2-xls-r-300m", family: "wav2vec2", series: "xls-r" },
  { name: "facebook/hubert-base-ls960", family: "hubert" },
  { name: "microsoft/wavlm-large", family: "wavlm" },
  { name: "facebook/mms-1b-all", tags: ["wav2vec2"], family: "mms" },
  { name: "openai/whisper-tiny.en", family: "whisper", series: "whisper-tiny" },
  { name: "distil-whisper/distil-small.en", family: "whisper" },
  { name: "nyrahealth/CrisperWhisper", family: "whisper" },
  { name: "nvidia/parakeet-ctc-1.1b", family: "parakeet", series: "parakeet-ctc" },
  { name: "UsefulSensors/moonshine-tiny", tags: ["speech-to-text"], family: "moonshine" },
  { name: "rhasspy/piper-voices", family: "piper" },
  { name: "localai/voice-en_US-amy-low", family: "piper" },
  { name: "someone/voice-activity-detection", family: "voice-activity-detection" },
  { name: "kenpath/svara-tts-v1", base: "canopylabs/3b-hi-ft-research_release", tags: ["llama"], family: "orpheus" },
  { name: "facebook/data2vec-audio-base-960h", family: "data2vec" },
  // Embeddings.
  { name: "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2", tags: ["bert"], family: "minilm" },
  { name: "sentence-transformers/all-mpnet-base-v2", tags: ["mpnet"], family: "mpnet" },
  { name: "sentence-transformers/multi-qa-distilbert-cos-v1", tags: ["distilbert"], family: "distilbert" },
  { name: "sentence-transformers/LaBSE", tags: ["bert"], family: "labse" },
  { name: "BAAI/bge-multilingual-gemma2", tags: ["gemma2"], family: "bge" },
  { name: "microsoft/harrier-oss-v1-0.6b", tags: ["qwen3"], family: "harrier" },
  { name: "voyageai/voyage-4-nano", tags: ["qwen3"], family: "voyage" },
  { name: "nvidia/NV-Embed-v2", tags: ["nvembed"], family: "nv-embed" },
  { name: "mixedbread-ai/mxbai-rerank-base-v1", tags: ["deberta-v2"], family: "mxbai" },
  { name: "openai/privacy-filter", family: "privacy-filter" },
  { name: "OpenMed/privacy-filter-nemotron", base: "openai/privacy-filter", family: "privacy-filter" },
  // Time, games and life.
  { name: "google/timesfm-2.5-200m-transformers", family: "timesfm" },
  { name: "sb3/dqn-MountainCar-v0", tags: ["reinforcement-learning"], family: "dqn" },
  { name: "someone/llama-3-8b-ppo", tags: ["trl", "ppo", "llama"], family: "llama" },
  { name: "someone/assistant-rlhf", tags: ["trl", "ppo", "gpt2"], family: "gpt2" },
  { name: "zhihan1996/DNABERT-2-117M", family: "dnabert" },
];

// biome-ignore format: one label on each line
const made: Label[] = [
  { name: "TheBloke/Mistral-7B-Instruct-v0.2-GGUF", base: "mistralai/Mistral-7B-Instruct-v0.2", family: "mistral", series: "mistral-7b" },
  { name: "hugging-quants/Meta-Llama-3.1-70B-Instruct-AWQ-INT4", family: "llama", series: "llama-3.1" },
  { name: "someone/Vikhr-Nemo-12B-Instruct-Q8_0-GGUF", family: "mistral" },
  { name: "mlx-community/Qwen3-Coder-Next-6bit", base: "Qwen/Qwen3-Coder-Next", family: "qwen", series: "qwen3-coder" },
  { name: "RedHatAI/phi-4-quantized.w4a16", base: "microsoft/phi-4", family: "phi", series: "phi-4" },
  { name: "unsloth/tinyllama-bnb-4bit", tags: ["llama"], family: "tinyllama" },
  { name: "city96/umt5-xxl-encoder-gguf", base: "google/umt5-xxl", family: "t5", series: "umt5" },
  { name: "nvidia/Kimi-K2.5-NVFP4", base: "moonshotai/Kimi-K2.5", family: "kimi", series: "kimi-k2.5" },
  { name: "Xenova/bge-small-en-v1.5", base: "BAAI/bge-small-en-v1.5", family: "bge" },
  { name: "someone/invoice-reader-lora", base: "Qwen/Qwen2.5-VL-7B-Instruct", tags: ["peft", "lora"], family: "qwen", series: "qwen2.5-vl" },
  { name: "someone/ghibli-style", base: "black-forest-labs/FLUX.1-dev", tags: ["lora", "diffusers"], family: "flux", series: "flux.1" },
  { name: "someone/pixel-art-xl", base: "stabilityai/stable-diffusion-xl-base-1.0", tags: ["lora"], family: "stable-diffusion", series: "stable-diffusion-xl" },
  { name: "someone/whisper-large-v3-medical-lora", base: "openai/whisper-large-v3", tags: ["peft"], family: "whisper", series: "whisper-large-v3" },
  { name: "someone/Frankenmerge-11B", tags: ["merge", "mergekit", "mistral", "base_model:merge:teknium/OpenHermes-2.5-Mistral-7B"], family: "mistral" },
  { name: "someone/Dolphin-Hermes-merge-8B", base: "meta-llama/Llama-3.1-8B", tags: ["mergekit"], family: "llama", series: "llama-3.1" },
  { name: "FuseAI/FuseChat-Qwen-2.5-7B-Instruct", base: "Qwen/Qwen2.5-7B-Instruct", family: "qwen" },
  { name: "lightblue/DeepSeek-R1-Distill-Qwen-7B-Japanese", base: "deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", family: "deepseek" },
  { name: "someone/my-sentiment", base: "FacebookAI/xlm-roberta-base", tags: ["xlm-roberta"], family: "xlm-roberta" },
  { name: "huihui-ai/Huihui-gemma-4-31B-it-abliterated", base: "google/gemma-4-31B-it", family: "gemma", series: "gemma-4" },
  { name: "ollama/llama3.2:3b", tags: ["gguf", "llama"], family: "llama", series: "llama-3.2" },
  { name: "ollama/qwen2.5-coder:7b", tags: ["gguf", "qwen2"], family: "qwen", series: "qwen2.5-coder" },
  { name: "ollama/deepseek-r1:8b", tags: ["gguf", "qwen3"], family: "deepseek", series: "deepseek-r1" },
  { name: "ollama/all-minilm:latest", tags: ["gguf", "bert"], family: "minilm" },
  { name: "ollama/someone--mymodel:latest", tags: ["gguf", "gemma3"], family: "gemma" },
  { name: "localai/ornith-1.0-35b-apex-i-quality", family: "ornith" },
];

const all = [...namesAlike, ...made];

describe("lineageOf tells apart", () => {
  it.each(all)("$name is $family $series", ({ name, base, tags = [], family, series }) => {
    const lineage = lineageOf({ name, baseModel: base, tags });
    expect(lineage.family).toBe(family);
    if (series !== undefined) {
      expect(lineage.series).toBe(series);
    }
  });

  it("150 models", () => expect(all.length).toBeGreaterThanOrEqual(150));
});

describe("lineageOf without a name, base or tag that names a lineage", () => {
  it.each([
    ["A fine-tuned version of DistilBERT for toxic comments.", "distilbert"],
    ["This model is a fine-tuned version of FacebookAI/xlm-roberta-base on two data sets.", "xlm-roberta"],
    ["A chat model based on the Qwen2.5 architecture.", "qwen"],
    ["Distilled from whisper-large-v2 for phones.", "whisper"],
  ])("reads %j", (description, family) => {
    expect(lineageOf({ name: "someone/some-model", tags: [], description }).family).toBe(family);
  });

  it.each([
    "Outperforms Llama 3 and Qwen on our test.",
    "Trained on data that GPT-2 wrote.",
    "Built on the Transformers library.",
    "",
  ])("ignores other mentions: %j", (description) => {
    expect(lineageOf({ name: "someone/some-thing", tags: [], description })).toEqual({ family: "some-thing" });
  });
});

describe("lineageOf of anything", () => {
  const words = fc.constantFrom(
    ...lineages.flatMap((lineage) => lineage.names),
    "7b",
    "v1.5",
    "GGUF",
    "Q4_K_M",
    "it",
    "",
    "é",
    "模",
  );
  const joint = fc.constantFrom("-", "_", ".", "/", ":", " ", "--", "");
  const name = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.array(fc.tuple(words, joint), { maxLength: 40 }).map((parts) => parts.flat().join("").slice(0, 200)),
    fc
      .tuple(fc.constantFrom("a", "1", "_", "-", ".", "llama", "bert", "3_"), fc.nat(200))
      .map(([text, n]) => text.repeat(n).slice(0, 200)),
  );

  it("returns a plain family, the same each time, whatever the name, base, tags and description", () => {
    fc.assert(
      fc.property(
        name,
        fc.option(name, { nil: undefined }),
        fc.array(name, { maxLength: 8 }),
        fc.string({ maxLength: 500 }),
        (own, base, tags, description) => {
          const input = { name: own, baseModel: base, tags, description };
          const lineage = lineageOf(input);
          expect(lineage.family).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
          expect(lineage.family).not.toBe("other");
          expect(lineageOf(input)).toEqual(lineage);
        },
      ),
    );
  });

  it("looks at each letter of a long name a bounded number of times", () => {
    // A pattern that backtracks over all splits would not end on these.
    for (const text of ["a-", "3_", "l3-", "voice-en-", "faster-", "q4_", "w4a", "sd-", ".5"]) {
      const long = `${text.repeat(20_000)}!`;
      expect(lineageOf({ name: `someone/${long}`, tags: [long], description: `based on ${long}` }).family).toMatch(/./);
      expect(normalise({ name: `someone/${long}` }, { source: "test", seenAt: 0 }).family).toMatch(/./);
    }
  });
});

describe("of the hub's most downloaded models", () => {
  const models: Model[] = hubModels().map(({ id, tags, pipeline_tag: label }) =>
    normalise({ name: id, tags, task_types: label === undefined ? undefined : [label] }, { source: "test", seenAt: 0 }),
  );
  const share = (test: (model: Model) => boolean) => models.filter(test).length / models.length;

  it("belong to more than a hundred families, none of which is a catch-all", () => {
    const sizes = new Map<string, number>();
    for (const { family } of models) {
      sizes.set(family, (sizes.get(family) ?? 0) + 1);
    }
    expect(sizes.size).toBeGreaterThan(120);
    expect(sizes.size).toBeLessThan(200);
    for (const word of ["other", "unknown", "unnamed", "model", "models", "transformers"]) {
      expect(sizes.has(word)).toBe(false);
    }
    expect(Math.max(...sizes.values()) / models.length).toBeLessThan(0.3);
  });

  it("have the family of their base, except for separate lineages", () => {
    const known = new Map(models.map((model) => [model.key, model]));
    const own = new Set(
      lineages.filter((lineage) => lineage.ownLine || lineage.owners).map((lineage) => lineage.family),
    );
    const strays = models.filter(({ baseModel, family }) => {
      const base = known.get(baseModel?.toLowerCase() ?? "");
      return base !== undefined && base.family !== family && !own.has(family) && !own.has(base.family);
    });
    expect(strays.length / models.length).toBeLessThan(0.005);
  });

  it("have a task in nine of ten cases, and a base if they are repackagings", () => {
    expect(share(({ labels }) => labels.length > 0)).toBeGreaterThan(0.93);
    expect(share(({ repackaging }) => repackaging)).toBeGreaterThan(0.15);
    expect(models.filter(({ repackaging, baseModel }) => repackaging && baseModel === undefined)).toEqual([]);
  });

  it("have a series for most families that have lines", () => {
    const inLines = models.filter(({ family }) => ["qwen", "llama", "gemma", "whisper"].includes(family));
    expect(inLines.filter(({ series }) => series !== undefined).length / inLines.length).toBeGreaterThan(0.85);
  });
});
