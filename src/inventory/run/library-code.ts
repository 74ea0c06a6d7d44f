import type { Model } from "../facts/model.ts";
import {
  embeddingLabels,
  type Form,
  hasOwnCode,
  hubName,
  isAdapter,
  isAtHub,
  isFor,
  isRanker,
  loads,
  type Made,
  ownWithoutVariants,
  pick,
} from "./forms.ts";

const unpacked = /^(?:bf16|fp16|fp32|mxfp4)$/i;

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

/** Architectures that read one text and write another. transformers 5 no longer has their pipelines. */
const readAndWrite: ReadonlySet<string> = new Set(
  "t5 mt5 umt5 flan-t5 bart mbart pegasus marian opus-mt m2m_100 m2m100 nllb led longt5".split(" "),
);

const rewriteLabels: ReadonlySet<string> = new Set(["translation", "summarization", "text2text-generation"]);

export function transformers(model: Model, forms: readonly Form[]): Made[] {
  const own = loads(model, "transformers") && !isAdapter(model) ? ownWeights(model, forms) : undefined;
  if (own === undefined) {
    return [];
  }
  const code = pipelineCode(model) ?? rewriteCode(model);
  return code === undefined ? [] : [{ language: "python", command: code, ...pick(own) }];
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

export function sentenceTransformers(model: Model, forms: readonly Form[]): Made[] {
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

/** Words in names, and tags, of models that only change or complete a pipeline, or whose files no pipeline loads. */
const noPipeline = /controlnet|ip-?adapter|\bvae\b|textual.inversion|t2i-?adapter|gguf|comfyui|loras?\b|[-_]lightning/i;

const noPipelineTags: ReadonlySet<string> = new Set([
  "controlnet",
  "ip-adapter",
  "textual_inversion",
  "gguf",
  "comfyui",
]);

export function diffusers(model: Model): Made[] {
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

export function transformersJs(model: Model): Made[] {
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
