import { effectiveBits } from "../../hardware/index.ts";
import type { Model, Variant } from "../facts/model.ts";

/** How to start a model with an engine. */
export interface RunCommand {
  engine: string;
  /** shell, python or javascript. */
  language: "shell" | "python" | "javascript";
  /** One or more lines. */
  command: string;
  /** Where the engine is described. */
  url: string;
  /** The variant that it downloads, if it is known. */
  quantization?: string;
  /** The repository that it downloads from. */
  repository?: string;
  /** What to know before running it. */
  note?: string;
}

/** The engines in the order of their commands, and where each is described (`local-apps.ts` of @huggingface/tasks). */
const engineUrls = {
  ollama: "https://huggingface.co/docs/hub/ollama",
  "llama.cpp": "https://github.com/ggml-org/llama.cpp",
  mlx: "https://github.com/ml-explore/mlx-lm",
  vllm: "https://docs.vllm.ai",
  sglang: "https://docs.sglang.io",
  transformers: "https://huggingface.co/docs/transformers",
  "sentence-transformers": "https://sbert.net",
  diffusers: "https://huggingface.co/docs/diffusers",
  "transformers.js": "https://huggingface.co/docs/transformers.js",
  "whisper.cpp": "https://github.com/ggml-org/whisper.cpp",
  comfyui: "https://docs.comfy.org",
} as const;

type Engine = keyof typeof engineUrls;
const engines = Object.keys(engineUrls) as Engine[];

/** A variant in a repository of the Hub. */
interface Form {
  repository: string;
  quantization: string;
  format: string | undefined;
  sizeGb: number | undefined;
  bits: number;
  /** Whether the inventory knows the repository's own variants; a model that names a repository may list others. */
  isListed: boolean;
}

type Made = Omit<RunCommand, "engine" | "url" | "note"> & { url?: string };

/** The note on a command that lets an engine run Python code of a repository. */
const OWN_CODE = "It runs code from the repository; read that code first.";

/**
 * How to start a model with the engines that take it, by the forms of it that the facts name; empty if it has none on the
 * Hub. Where a repository has several variants, one command takes the best and one that of about four bits. The commands
 * are those that the Hub's pages show (`local-apps.ts` and `model-libraries-snippets.ts` of @huggingface/tasks 0.21),
 * and whisper.cpp's from its README.
 *
 * @param model with its repackagings (see `withRepackagings`), whose repositories count too.
 */
export function runCommands(model: Model): RunCommand[] {
  const forms = formsOf(model);
  return engines.flatMap((engine) =>
    commandsFor[engine](model, forms).map((made) => ({
      engine,
      url: engineUrls[engine],
      ...made,
      ...(/\btrust[-_]remote[-_]code\b/.test(made.command) && { note: OWN_CODE }),
    })),
  );
}

/** Names come from outside, and commands are pasted into shells: no other character, and no option. */
const hubName = /^(?!-)[\w.-]{1,96}\/[\w.-]{1,96}$/;

/** Whether the repository of a model is on the Hub. */
function isAtHub({ name, sources, sourceUrl = "" }: Model): boolean {
  const isListed = sources.some((source) => source.name === "huggingface");
  return hubName.test(name) && (isListed || /^https:\/\/huggingface\.co\//.test(sourceUrl));
}

/**
 * The variants on the Hub: the model's own, those of its maker's other repositories, those in repositories that its
 * sources name, then those of the most downloaded repackaging.
 */
function formsOf(model: Model): Form[] {
  const others = new Map(model.repackagings?.map((other) => [other.name, other]));
  const owner = model.key.slice(0, model.key.indexOf("/") + 1);
  const rankOf = ({ repository }: Variant) => {
    const other = others.get(repository ?? "");
    if (repository === undefined || repository === model.name) {
      return 0;
    }
    return other?.key.startsWith(owner) ? 1 : other === undefined ? 2 : 3 + 1 / (1 + (other.downloads ?? 0));
  };
  return [...model.variants]
    .sort((a, b) => rankOf(a) - rankOf(b))
    .flatMap((variant) => {
      const repository = variant.repository ?? model.name;
      const publisher = repository === model.name ? model : others.get(repository);
      if (
        variant.unpublished ||
        !hubName.test(repository) ||
        (publisher !== undefined && !publishes(publisher, variant))
      ) {
        return [];
      }
      const { quantization, format, sizeGb } = variant;
      const { bits } = effectiveBits(quantization);
      return [{ repository, quantization, format, sizeGb, bits, isListed: publisher !== undefined }];
    });
}

/** Whether a repository of the Hub has a variant. */
function publishes(publisher: Model, { quantization }: Variant): boolean {
  return isAtHub(publisher) && publisher.variants.some((own) => own.quantization === quantization && !own.unpublished);
}

/** Variants of about as many bits are of full quality; others of llama.cpp are compared with 8 bits, which lose nothing. */
const LOSSLESS_BITS = 9;
/** Bits of Q4_K_M, the usual choice where memory is short. */
const SMALL_BITS = 4.8;
const MOST_SMALL_BITS = 5.3;

/** The best variant and that of about four bits, at most one of each. The first of equal ones is taken. */
function choose(forms: readonly Form[]): Form[] {
  const lossless = forms.filter(({ bits }) => bits <= LOSSLESS_BITS);
  const [best] = [...(lossless.length > 0 ? lossless : forms)].sort((a, b) => b.bits - a.bits);
  const [small] = forms
    .filter(({ bits }) => bits >= 4 && bits <= MOST_SMALL_BITS)
    .sort((a, b) => Math.abs(a.bits - SMALL_BITS) - Math.abs(b.bits - SMALL_BITS));
  return [...new Set([best, small])].filter((form) => form !== undefined);
}

/** Quantizations of GGUF files by which the Hub finds the file, in any letter case. */
const ggufTag = /^(?:UD-)?(?:I?Q\d(?:_[A-Z0-9]{1,3}){1,2}|TQ\d_\d|MXFP4(?:_MOE)?|BF16|F16|F32)$/;

/** The tag of a GGUF variant behind the repository's name; undefined if there is none for it. */
function tagOf({ quantization }: Form): string | undefined {
  const tag = quantization.toUpperCase().replace(/^FP(?=16$|32$)/, "F");
  return ggufTag.test(tag) ? tag : undefined;
}

const chatLabels: ReadonlySet<string> = new Set(["text-generation", "image-text-to-text", "any-to-any"]);
const embeddingLabels: ReadonlySet<string> = new Set(["feature-extraction", "sentence-similarity"]);

function isFor({ labels }: Model, wanted: ReadonlySet<string>): boolean {
  return labels.some((label) => wanted.has(label));
}

/** The GGUF to take: two of those that are listed, else what the engine takes by itself of a repository that is named. */
function chooseGguf(model: Model, forms: readonly Form[]): Form[] {
  const isTaken =
    isFor(model, chatLabels) || ((isFor(model, embeddingLabels) || isRanker(model)) && !isFor(model, imageLabels));
  const gguf = isTaken ? forms.filter((form) => form.format === "gguf" && tagOf(form) !== undefined) : [];
  const listed = gguf.filter(({ isListed }) => isListed);
  return listed.length > 0 ? choose(listed) : gguf.filter(({ quantization }) => quantization === "Q4_K_M").slice(0, 1);
}

/** A GGUF repository with the tag of a variant. Without a tag the engines take Q4_K_M, or what there is. */
function ggufName(form: Form): string {
  return form.isListed ? `${form.repository}:${tagOf(form)}` : form.repository;
}

const imageLabels: ReadonlySet<string> = new Set(["zero-shot-image-classification", "image-feature-extraction"]);

function isRanker({ labels }: Model): boolean {
  return labels.includes("text-ranking");
}

/** Above this the Hub's limit of 50 GB a file splits GGUF, and Ollama takes no split files from there. */
const MOST_OLLAMA_GB = 48;
/** NAME or NAME:TAG of Ollama's own list. */
const ollamaModel = /^(?!-)[\w.:/-]{1,200}$/;

function ollama(model: Model, forms: readonly Form[]): Made[] {
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

function llamaCpp(model: Model, forms: readonly Form[]): Made[] {
  const mode = isFor(model, chatLabels) ? "" : isRanker(model) ? " --reranking" : " --embedding";
  return chooseGguf(model, forms).map((form) => ({
    language: "shell",
    command: `llama-server -hf ${ggufName(form)}${mode}`,
    ...pick(form),
  }));
}

function seesImages({ labels, capabilities = [] }: Model): boolean {
  return labels.includes("image-text-to-text") || (labels.includes("any-to-any") && capabilities.includes("vision"));
}

function mlx(model: Model, forms: readonly Form[]): Made[] {
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
const unpacked = /^(?:bf16|fp16|fp32|mxfp4)$/i;
const packed = /^(?:AWQ|GPTQ)-4bit$/i;

/** The model's own weights for the engines of graphics cards, and four bits by others. */
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

/** The model's repository if its variants are not known. */
function ownWithoutVariants(model: Model): Pick<Form, "repository"> | undefined {
  const hasOwn = model.variants.some(({ repository }) => repository === undefined || repository === model.name);
  return !hasOwn && isAtHub(model) && !/gguf|ggml|mlx|onnx|exl[23]/i.test(model.name)
    ? { repository: model.name }
    : undefined;
}

/** Whether one of these libraries loads a model, by its field or its tags. */
function loads({ library, tags }: Model, ...libraries: readonly string[]): boolean {
  return libraries.some((name) => library === name || tags.includes(name));
}

function isAdapter({ library, tags }: Model): boolean {
  return library === "peft" || tags.some((tag) => /^lora$|^base_model:adapter:/.test(tag));
}

/** Repositories with Python code of their own. These libraries run that code only with an option. */
function hasOwnCode({ tags }: Model): boolean {
  return tags.includes("custom_code");
}

/** Options that vLLM needs for files in Mistral's own format. */
const MISTRAL = " --tokenizer_mode mistral --config_format mistral --load_format mistral";

function vllm(model: Model, forms: readonly Form[]): Made[] {
  return servedForms(model, forms).map(({ repository, quantization }) => {
    const own = repository === model.name;
    const options = `${own && model.tags.includes("mistral-common") ? MISTRAL : ""}${hasOwnCode(model) ? " --trust-remote-code" : ""}`;
    return { language: "shell", command: `vllm serve ${repository}${options}`, ...pick({ repository, quantization }) };
  });
}

function sglang(model: Model, forms: readonly Form[]): Made[] {
  const options = hasOwnCode(model) ? " --trust-remote-code" : "";
  return servedForms(model, forms).map(({ repository, quantization }) => ({
    language: "shell",
    command: `python3 -m sglang.launch_server --model-path ${repository}${options}`,
    ...pick({ repository, quantization }),
  }));
}

/** The model's own repository with weights that PyTorch loads. */
function ownWeights(model: Model, forms: readonly Form[]): (Pick<Form, "repository"> & Partial<Form>) | undefined {
  return (
    forms.find(
      ({ repository, format, quantization }) =>
        repository === model.name && unpacked.test(quantization) && (format === "safetensors" || format === "pytorch"),
    ) ?? ownWithoutVariants(model)
  );
}

/** Whether a model is trained to chat. A template is used for it; a base model continues a text. */
function chats({ name, tags, capabilities = [] }: Model): boolean {
  return (
    tags.includes("conversational") ||
    tags.includes("chat") ||
    capabilities.includes("tools") ||
    capabilities.includes("reasoning") ||
    /[-_.](?:instruct|chat|it)(?:$|[-_.])/i.test(name)
  );
}

const MESSAGES = '[{"role": "user", "content": "Who are you?"}]';
const IMAGE_MESSAGES = [
  "[",
  '    {"role": "user", "content": [',
  '        {"type": "image", "url": "photo.jpg"},',
  '        {"type": "text", "text": "Describe this image."},',
  "    ]}",
  "]",
].join("\n");

/** What transformers' pipelines take, by task. */
const pipelineInputs: ReadonlyMap<string, string> = new Map([
  ["text-generation", '"Once upon a time,"'],
  ["image-text-to-text", `text=${IMAGE_MESSAGES}`],
  ["text-classification", '"I like this."'],
  ["token-classification", '"Marie Curie was born in Warsaw."'],
  ["zero-shot-classification", '"The invoice is wrong.", candidate_labels=["billing", "delivery"]'],
  ["fill-mask", 'f"Paris is the {pipe.tokenizer.mask_token} of France."'],
  ["feature-extraction", '"Some text."'],
  ["question-answering", 'question="Who wrote it?", context="Ada wrote it in 1843."'],
  ["document-question-answering", '"invoice.png", "What is the total?"'],
  ["visual-question-answering", '"photo.jpg", "What is in it?"'],
  ["automatic-speech-recognition", '"audio.wav"'],
  ["audio-classification", '"audio.wav"'],
  ["text-to-speech", '"Hello."'],
  ["text-to-audio", '"Hello."'],
  ["image-classification", '"photo.jpg"'],
  ["image-segmentation", '"photo.jpg"'],
  ["image-feature-extraction", '"photo.jpg"'],
  ["image-to-image", '"photo.jpg"'],
  ["object-detection", '"photo.jpg"'],
  ["depth-estimation", '"photo.jpg"'],
  ["mask-generation", '"photo.jpg"'],
  ["video-classification", '"video.mp4"'],
  ["zero-shot-image-classification", '"photo.jpg", candidate_labels=["a cat", "a dog"]'],
  ["zero-shot-object-detection", '"photo.jpg", candidate_labels=["a cat", "a dog"]'],
]);

/** Architectures that read one text and write another. Their pipelines are gone from transformers 5. */
const readAndWrite: ReadonlySet<string> = new Set(
  "t5 mt5 umt5 flan-t5 bart mbart pegasus marian opus-mt m2m_100 m2m100 nllb led longt5".split(" "),
);
const rewriteLabels: ReadonlySet<string> = new Set(["translation", "summarization", "text2text-generation"]);

function transformers(model: Model, forms: readonly Form[]): Made[] {
  const own = loads(model, "transformers") && !isAdapter(model) ? ownWeights(model, forms) : undefined;
  if (own === undefined) {
    return [];
  }
  const code = pipelineCode(model) ?? rewriteCode(model);
  return code === undefined ? [] : [{ language: "python", command: code, ...pick(own) }];
}

function pick({ repository, quantization, isListed = true }: Pick<Form, "repository"> & Partial<Form>) {
  return { repository, ...(isListed && quantization !== undefined && { quantization }) };
}

function pipelineCode(model: Model): string | undefined {
  const label = model.labels.find((each) => pipelineInputs.has(each));
  if (label === undefined) {
    return undefined;
  }
  const input = label === "text-generation" && chats(model) ? MESSAGES : pipelineInputs.get(label);
  return [
    "from transformers import pipeline",
    "",
    `pipe = pipeline("${label}", model="${model.name}"${hasOwnCode(model) ? ", trust_remote_code=True" : ""})`,
    `print(pipe(${input}))`,
  ].join("\n");
}

function rewriteCode(model: Model): string | undefined {
  const isKnown = readAndWrite.has(model.family) || model.tags.some((tag) => readAndWrite.has(tag));
  return isKnown && isFor(model, rewriteLabels)
    ? [
        "from transformers import AutoModelForSeq2SeqLM, AutoTokenizer",
        "",
        `tokenizer = AutoTokenizer.from_pretrained("${model.name}")`,
        `model = AutoModelForSeq2SeqLM.from_pretrained("${model.name}")`,
        'inputs = tokenizer("Your text.", return_tensors="pt")',
        "outputs = model.generate(**inputs, max_new_tokens=200)",
        "print(tokenizer.decode(outputs[0], skip_special_tokens=True))",
      ].join("\n")
    : undefined;
}

function sentenceTransformers(model: Model, forms: readonly Form[]): Made[] {
  const own = loads(model, "sentence-transformers") && !isAdapter(model) ? ownWeights(model, forms) : undefined;
  if (own === undefined) {
    return [];
  }
  const code = hasOwnCode(model) ? ", trust_remote_code=True" : "";
  const command = isRanker(model)
    ? [
        "from sentence_transformers import CrossEncoder",
        "",
        `model = CrossEncoder("${model.name}"${code})`,
        'print(model.predict([("What is it?", "It is a lamp."), ("What is it?", "Tomorrow.")]))',
      ]
    : isFor(model, embeddingLabels)
      ? [
          "from sentence_transformers import SentenceTransformer",
          "",
          `model = SentenceTransformer("${model.name}"${code})`,
          'vectors = model.encode(["The weather is lovely.", "It is sunny outside."])',
          "print(model.similarity(vectors, vectors))",
        ]
      : undefined;
  return command === undefined ? [] : [{ language: "python", command: command.join("\n"), ...pick(own) }];
}

/** What a pipeline of diffusers gets and gives, by task. */
const diffusion: ReadonlyMap<string, { takes: string; saves: string; needs: string }> = new Map([
  ["text-to-image", { takes: 'prompt="A lighthouse at dusk"', saves: '.images[0].save("image.png")', needs: "" }],
  [
    "image-to-image",
    {
      takes: 'image=load_image("photo.jpg"), prompt="Make it winter"',
      saves: '.images[0].save("image.png")',
      needs: "load_image",
    },
  ],
  ["text-to-video", { takes: 'prompt="A lighthouse at dusk"', saves: ".frames[0]", needs: "export_to_video" }],
  [
    "image-to-video",
    {
      takes: 'image=load_image("photo.jpg"), prompt="The sea moves"',
      saves: ".frames[0]",
      needs: "export_to_video, load_image",
    },
  ],
]);

/** Words in names, and tags, of what only changes or completes a pipeline, or of files that no pipeline loads. */
const noPipeline = /controlnet|ip-?adapter|\bvae\b|textual.inversion|t2i-?adapter|gguf|comfyui|loras?\b|[-_]lightning/i;
const noPipelineTags: ReadonlySet<string> = new Set([
  "controlnet",
  "ip-adapter",
  "textual_inversion",
  "gguf",
  "comfyui",
]);

function diffusers(model: Model): Made[] {
  const { name, baseModel, labels, library } = model;
  const made = labels.map((label) => diffusion.get(label)).find((each) => each !== undefined);
  if (library !== "diffusers" || made === undefined || !isAtHub(model)) {
    return [];
  }
  // A LoRA changes the pipeline of its base.
  const isLora = model.tags.includes("lora") || model.tags.some((tag) => tag.startsWith("base_model:adapter:"));
  const isPart = noPipeline.test(name) || model.tags.some((tag) => noPipelineTags.has(tag));
  const loaded = isLora ? baseModel : name;
  if (loaded === undefined || !hubName.test(loaded) || (!isLora && isPart)) {
    return [];
  }
  const isVideo = made.saves === ".frames[0]";
  const result = `pipe(${made.takes})${made.saves}`;
  const command = [
    "import torch",
    "from diffusers import DiffusionPipeline",
    ...(made.needs === "" ? [] : [`from diffusers.utils import ${made.needs}`]),
    "",
    '# "mps" on Apple silicon',
    `pipe = DiffusionPipeline.from_pretrained("${loaded}", torch_dtype=torch.bfloat16).to("cuda")`,
    ...(isLora ? [`pipe.load_lora_weights("${name}")`] : []),
    isVideo ? `export_to_video(${result}, "video.mp4")` : result,
  ];
  return [{ language: "python", command: command.join("\n"), repository: name }];
}

/** Pipelines of transformers.js that take a text, a sound or a picture alone, with an example. */
const webInputs: ReadonlyMap<string, string> = new Map([
  ["text-generation", "'Once upon a time,'"],
  ["text-classification", "'I like this.'"],
  ["token-classification", "'Marie Curie was born in Warsaw.'"],
  ["zero-shot-classification", "'The invoice is wrong.', ['billing', 'delivery']"],
  ["feature-extraction", "'Some text.', { pooling: 'mean', normalize: true }"],
  ["automatic-speech-recognition", "'audio.wav'"],
  ["text-to-speech", "'Hello.'"],
  ["image-classification", "'photo.jpg'"],
  ["image-segmentation", "'photo.jpg'"],
  ["object-detection", "'photo.jpg'"],
  ["depth-estimation", "'photo.jpg'"],
  ["zero-shot-image-classification", "'photo.jpg', ['a cat', 'a dog']"],
]);

function transformersJs(model: Model): Made[] {
  const label = model.labels
    .map((each) => (each === "sentence-similarity" ? "feature-extraction" : each))
    .find((each) => webInputs.has(each));
  if (!loads(model, "transformers.js") || label === undefined || !isAtHub(model)) {
    return [];
  }
  const command = [
    "import { pipeline } from '@huggingface/transformers';",
    "",
    `const pipe = await pipeline('${label}', '${model.name}');`,
    `console.log(await pipe(${webInputs.get(label)}));`,
  ];
  return [{ language: "javascript", command: command.join("\n"), repository: model.name }];
}

/** The models that whisper.cpp's script downloads (models/README.md of whisper.cpp), under OpenAI's names. */
const whisperFiles: ReadonlySet<string> = new Set(
  "tiny tiny.en base base.en small small.en medium medium.en large-v1 large-v2 large-v3 large-v3-turbo".split(" "),
);

function whisperCpp({ key }: Model): Made[] {
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
function comfyUi(model: Model): Made[] {
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

const commandsFor: Readonly<Record<Engine, (model: Model, forms: readonly Form[]) => Made[]>> = {
  ollama,
  "llama.cpp": llamaCpp,
  mlx,
  vllm,
  sglang,
  transformers,
  "sentence-transformers": sentenceTransformers,
  diffusers,
  "transformers.js": transformersJs,
  "whisper.cpp": whisperCpp,
  comfyui: comfyUi,
};
