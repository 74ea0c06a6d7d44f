import type { Model } from "../facts/model.ts";
import {
  chatLabels,
  choose,
  embeddingLabels,
  type Form,
  hasOwnCode,
  imageLabels,
  isAdapter,
  isAtHub,
  isFor,
  isRanker,
  loads,
  type Made,
  ownWithoutVariants,
  pick,
  seesImages,
} from "./forms.ts";

/** Quantizations of GGUF files by which the Hub finds the file, in any letter case. */
const ggufTag = /^(?:UD-)?(?:I?Q\d(?:_[A-Z0-9]{1,3}){1,2}|TQ\d_\d|MXFP4(?:_MOE)?|BF16|F16|F32)$/;

/** The tag of a GGUF variant behind the repository's name; undefined if there is none for it. */
function tagOf({ quantization }: Form): string | undefined {
  const tag = quantization.toUpperCase().replace(/^FP(?=16$|32$)/, "F");
  return ggufTag.test(tag) ? tag : undefined;
}

/**
 * The GGUF variants that commands use: up to two of the listed ones. If none is listed, the one that engines choose
 * from a repository without a tag.
 */
function chooseGguf(model: Model, forms: readonly Form[]): Form[] {
  const isTaken =
    isFor(model, chatLabels) || ((isFor(model, embeddingLabels) || isRanker(model)) && !isFor(model, imageLabels));
  const gguf = isTaken ? forms.filter((form) => form.format === "gguf" && tagOf(form) !== undefined) : [];
  const listed = gguf.filter(({ isListed }) => isListed);
  return listed.length > 0 ? choose(listed) : gguf.filter(({ quantization }) => quantization === "Q4_K_M").slice(0, 1);
}

/**
 * A GGUF repository with the tag of a variant. Without a tag the engines choose Q4_K_M, or another one if the
 * repository does not have it.
 */
function ggufName(form: Form): string {
  return form.isListed ? `${form.repository}:${tagOf(form)}` : form.repository;
}

/** Larger GGUF files are split, because the Hub allows 50 GB a file. Ollama does not load split files from the Hub. */
const MOST_OLLAMA_GB = 48;

/** NAME or NAME:TAG of Ollama's own list. */
const ollamaModel = /^(?!-)[\w.:/-]{1,200}$/;

export function ollama(model: Model, forms: readonly Form[]): Made[] {
  const own = /^ollama\/(.+)$/.exec(model.name)?.[1]?.replaceAll("--", "/");
  // Embedding models take no prompt; Ollama's API answers for them once they are pulled.
  const verb = isFor(model, chatLabels) ? "run" : "pull";
  if (own !== undefined) {
    const isListed = ollamaModel.test(own) && model.sources.some(({ name }) => name === "ollama");
    const url = "https://github.com/ollama/ollama";
    return isListed ? [{ language: "shell", command: `ollama ${verb} ${own}`, url }] : [];
  }
  const whole = forms.filter(({ sizeGb }) => sizeGb !== undefined && sizeGb <= MOST_OLLAMA_GB);
  return chooseGguf(model, isRanker(model) ? [] : whole).map((form) => ({
    language: "shell",
    command: `ollama ${verb} hf.co/${ggufName(form)}`,
    ...pick(form),
  }));
}

export function llamaCpp(model: Model, forms: readonly Form[]): Made[] {
  const mode = isFor(model, chatLabels) ? "" : isRanker(model) ? " --reranking" : " --embedding";
  return chooseGguf(model, forms).map((form) => ({
    language: "shell",
    command: `llama-server -hf ${ggufName(form)}${mode}`,
    ...pick(form),
  }));
}

export function mlx(model: Model, forms: readonly Form[]): Made[] {
  const chosen: Array<Pick<Form, "repository"> & Partial<Form>> = choose(
    forms.filter(({ format }) => format === "mlx"),
  );
  if (chosen.length === 0 && loads(model, "mlx") && isAtHub(model)) {
    chosen.push({ repository: model.name });
  }
  return chosen.flatMap((form): Made[] => {
    const { repository } = form;
    if (seesImages(model)) {
      const command = `python -m mlx_vlm.generate --model ${repository} --image photo.jpg --prompt "Describe this image."`;
      return [{ language: "shell", command, url: "https://github.com/Blaizzy/mlx-vlm", ...pick(form) }];
    }
    const command = `mlx_lm.generate --model ${repository} --prompt "Who are you?"`;
    return model.labels.includes("text-generation") ? [{ language: "shell", command, ...pick(form) }] : [];
  });
}

/** Weights that transformers' engines for graphics cards load from safetensors. */
const servable = /^(?:bf16|fp16|fp32|fp8|int8|nvfp4|mxfp4|(?:AWQ|GPTQ)-\dbit)$/i;

const packed = /^(?:AWQ|GPTQ)-4bit$/i;

/**
 * The weights that engines for graphics cards can serve: those of the model's own repository, and the first variant
 * with packed weights.
 */
function servedForms(model: Model, forms: readonly Form[]): Array<Pick<Form, "repository"> & Partial<Form>> {
  const isServed = model.labels.includes("text-generation") || model.labels.includes("image-text-to-text");
  if (!isServed || !loads(model, "transformers", "vllm", "Model Optimizer") || isAdapter(model)) {
    return [];
  }
  const safetensors = forms.filter(
    ({ format, quantization }) => format === "safetensors" && servable.test(quantization),
  );
  const own = safetensors.find(({ repository }) => repository === model.name);
  const small = safetensors.find(({ quantization }) => packed.test(quantization));
  return [...new Set([own ?? ownWithoutVariants(model), small])].filter((form) => form !== undefined);
}

/** Options that vLLM needs for files in Mistral's own format. */
const MISTRAL = " --tokenizer_mode mistral --config_format mistral --load_format mistral";

export function vllm(model: Model, forms: readonly Form[]): Made[] {
  return servedForms(model, forms).map(({ repository, quantization }) => {
    const own = repository === model.name;
    const options = `${own && model.tags.includes("mistral-common") ? MISTRAL : ""}${hasOwnCode(model) ? " --trust-remote-code" : ""}`;
    return { language: "shell", command: `vllm serve ${repository}${options}`, ...pick({ repository, quantization }) };
  });
}

export function sglang(model: Model, forms: readonly Form[]): Made[] {
  const options = hasOwnCode(model) ? " --trust-remote-code" : "";
  return servedForms(model, forms).map(({ repository, quantization }) => ({
    language: "shell",
    command: `python3 -m sglang.launch_server --model-path ${repository}${options}`,
    ...pick({ repository, quantization }),
  }));
}

/** The models that whisper.cpp's script downloads (models/README.md of whisper.cpp), under OpenAI's names. */
const whisperFiles: ReadonlySet<string> = new Set(
  "tiny tiny.en base base.en small small.en medium medium.en large-v1 large-v2 large-v3 large-v3-turbo".split(" "),
);

export function whisperCpp({ key }: Model): Made[] {
  const name = key.replace(/^openai\/whisper-/, "");
  return key.startsWith("openai/") && whisperFiles.has(name)
    ? [
        {
          language: "shell",
          command: `sh ./models/download-ggml-model.sh ${name}\n./build/bin/whisper-cli -m models/ggml-${name}.bin -f audio.wav`,
          repository: "ggerganov/whisper.cpp",
        },
      ]
    : [];
}

/** ComfyUI starts without a model; the files go into the folders of models/ that the repository's page names. */
export function comfyUi(model: Model): Made[] {
  return loads(model, "comfyui") && isAtHub(model)
    ? [
        {
          language: "shell",
          command: `hf download ${model.name} --local-dir ${shortName(model)}`,
          repository: model.name,
        },
      ]
    : [];
}

function shortName({ name }: Model): string {
  return name.slice(name.indexOf("/") + 1).replace(/^[-.]+/, "");
}
