import { layoutOf } from "../model/layout.ts";
import type { ModelFigures } from "../types.ts";
import { speak, transcribe } from "./speech-work.ts";
import { BATCHED, billions, type Work, type WorkRule } from "./work-item.ts";

/** Tokens of a text, and of a pair of query and text for rerankers. */
const TEXT_TOKENS = 256;
const PAIR_TOKENS = 512;
/** Attention between the tokens of such short texts adds this much to the products with the weights. */
const SHORT_ATTENTION = 1.05;
/** The work of one item. Undefined if the task has no such item, or the model's design is not known. */
export function workOf(model: ModelFigures): Work | undefined {
  if (!works.has(model)) {
    works.set(model, findWork(model));
  }
  return works.get(model);
}

/** A model is estimated for many variants and devices. */
const works = new WeakMap<ModelFigures, Work | undefined>();

function findWork(model: ModelFigures): Work | undefined {
  const { parameters } = model;
  for (const label of model.taskTypes) {
    const rule = rules[label];
    if (rule !== undefined) {
      return parameters === undefined || parameters <= 0 ? undefined : rule(model, parameters, namesOf(model));
    }
  }
  return undefined;
}

/** The model's own name and its base model's, in the form that the patterns expect. */
function namesOf({ name, baseModel = "" }: ModelFigures): string {
  return `${name} ${baseModel}`
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-");
}

/** Models with the labels of text encoders that read sound, pictures or molecules instead. */
const NO_TEXT =
  /wav2vec|hubert|wavlm|mms-|dasheng|clap|encodec|codec|dac-|audio|speech|whisper|hear|beats|vit|clip|dino|siglip|-vl|vision|image|video|omni|prot|esm-?[12]|molecul|materials|eeg|brain/;

const encode: WorkRule = (model, parameters, names) => {
  // Static embeddings are looked up; no layer computes anything.
  if (/potion|m2v|model2vec|static-/.test(names) || NO_TEXT.test(names)) {
    return undefined;
  }
  const isPair = model.taskTypes[0] === "text-ranking";
  const tokens = isPair ? PAIR_TOKENS : TEXT_TOKENS;
  const { body, known } = bodyOf(model, parameters);
  // A mixture of experts computes with a few of them for each token.
  const computed = Math.min(body, model.activeParameters ?? body);
  return {
    unit: "text",
    item: isPair ? `pair of query and text with ${tokens} tokens` : `text of ${tokens} tokens`,
    gflops: (2 * computed * tokens * SHORT_ATTENTION) / 1e9,
    share: 1,
    passes: BATCHED,
    spread: known ? 0.5 : 0.65,
    rule: `2 operations for each of ${billions(computed)} ${computed < body ? "active parameters" : "parameters without embeddings"} and each token, in batches`,
  };
};

/**
 * Parameters of usual encoders in 10^6: in all, and without the embeddings, which are looked up. From the
 * configurations of MiniLM, BERT, RoBERTa, XLM-R, DeBERTa v3, ModernBERT and Nomic BERT.
 */
const encoders: readonly (readonly [total: number, body: number])[] = [
  [14.5, 4.8],
  [17.4, 5.3],
  [22.7, 10.6],
  [30, 10.6],
  [33.4, 21.3],
  [66.4, 42.5],
  [82.1, 42.5],
  [109, 85.6],
  [118, 21.3],
  [125, 85.6],
  [137, 113],
  [149, 110],
  [178, 85.6],
  [184, 85.6],
  [278, 85.6],
  [306, 113],
  [335, 302],
  [355, 303],
  [395, 343],
  [435, 303],
  [560, 302],
  [568, 302],
];
/** Between these rows a vocabulary takes a third, in large models an eighth. */
const USUAL_BODY = 0.67;
const LARGE_BODY = 0.88;
const LARGE_FROM = 1e9;

function bodyOf(model: ModelFigures, parameters: number): { body: number; known: boolean } {
  const row = encoders.find(([total]) => Math.abs(parameters / (total * 1e6) - 1) < 0.025);
  if (row !== undefined) {
    return { body: row[1] * 1e6, known: true };
  }
  const layout = layoutOf(model);
  if (layout.from !== "rule" && layout.embeddingParameters > 0 && layout.embeddingParameters < parameters) {
    return { body: parameters - layout.embeddingParameters, known: true };
  }
  return { body: parameters * (parameters >= LARGE_FROM ? LARGE_BODY : USUAL_BODY), known: parameters >= LARGE_FROM };
}

/** Sizes of vision transformers by the letter or word in the name, in 10^6 parameters. */
const towers: readonly (readonly [pattern: RegExp, millions: number])[] = [
  [/so400m/, 413],
  [/vit-?g|giant/, 1_010],
  [/vit-?h|huge/, 631],
  [/vit-?l|large|[-/]l-?14/, 304],
  [/vit-?b|base|[-/]b-?(?:16|32)/, 86],
  [/vit-?s|small|[-/]s-?16/, 22],
];
const TRANSFORMER = /vit|deit|clip|dino|siglip|beit|eva0|mae\b|hiera|virchow|uni2/;
/** Small convolutional networks have few operations, and memory limits them. */
const MOBILE = /mobilenet|efficientnet|efficientvit|mobilevit|mobileclip|edgenext|lcnet|repvit|ghostnet|tinynet/;
const IMAGE_SIZES = /(?:^|[^0-9])(224|240|256|288|320|336|378|384|448|512|518)(?:[^0-9]|$)/;
const PATCH_SIZES = /patch-?(8|14|16|32)|vit-?[a-z]-?(14|16|32)|[-/][blhsg]-?(14|16|32)(?:[^0-9]|$)/;

const classify: WorkRule = (model, parameters, names) => {
  const size = Number(IMAGE_SIZES.exec(names)?.[1] ?? 224);
  const isMobile = MOBILE.test(names);
  const patches = PATCH_SIZES.exec(names)?.slice(1).find(Boolean);
  const isTransformer = !isMobile && TRANSFORMER.test(names);
  // A model that compares pictures with texts has a part for the texts, which need not be read for each picture.
  const isTwoTowers = model.taskTypes[0] === "zero-shot-image-classification";
  const tower = isTwoTowers ? (towers.find(([pattern]) => pattern.test(names))?.[1] ?? 0) * 1e6 : 0;
  const body = tower > 0 && tower < parameters ? tower : isTwoTowers ? parameters * 0.6 : parameters;
  const perParameter = isMobile
    ? MOBILE_OPERATIONS * (size / 224) ** 2
    : isTransformer
      ? 2 * ((size / Number(patches ?? (/dinov2/.test(names) ? 14 : 16))) ** 2 + 1)
      : NETWORK_OPERATIONS * (size / 224) ** 2;
  return {
    unit: "image",
    item: `image of ${size} x ${size}, in batches`,
    gflops: (body * perParameter) / 1e9,
    share: isMobile ? 0.07 : isTransformer ? 0.9 : 0.42,
    passes: BATCHED,
    spread: isMobile ? 0.9 : isTransformer ? 0.45 : 0.6,
    rule: isTransformer
      ? `2 operations for each of ${billions(body)} parameters and each patch of the image`
      : `${Math.round(perParameter)} operations for each of ${billions(body)} parameters, as in networks of this kind`,
  };
};
/** Operations for each parameter and image of 224 x 224: ResNet-50 320, ConvNeXt and Swin 350; EfficientNet-B0 150. */
const NETWORK_OPERATIONS = 350;
const MOBILE_OPERATIONS = 110;

/**
 * Operations for each parameter and image, one image at a time: YOLO26 2,200 to 3,500 and RT-DETR 3,200 at 640 x 640,
 * DETR 4,100 at 800 x 1333; SegFormer 4,400; Depth Anything 4,400 at 518 x 518; SAM 9,300 and BiRefNet 10,300 at
 * 1024 x 1024; ViTPose 400 at 256 x 192.
 */
function perImage(operations: number, size: string, share: number): WorkRule {
  return (_model, parameters, names) => {
    const isLarge = /birefnet|rmbg-2|ben2|sam2|sam-vit|\bsam3/.test(names);
    const count = isLarge ? LARGE_IMAGE_OPERATIONS : operations;
    return {
      unit: "image",
      item: `image of ${isLarge ? "1024 x 1024" : size}, one at a time`,
      gflops: (parameters * count) / 1e9,
      share,
      passes: 1,
      spread: 0.65,
      rule: `${count} operations for each of ${billions(parameters)} parameters, as in networks of this kind`,
    };
  };
}
const LARGE_IMAGE_OPERATIONS = 9_500;

/**
 * Designs of models that make pictures and clips: 10^12 operations of one pass at the given size, passes for a
 * picture (steps, or twice as many if each step has one pass with the prompt and one without), and the item.
 *
 * U-Nets have the published operations of SD 1.5 (0.8 at 512 x 512) and SDXL (6 at 1024 x 1024). Of transformers it is
 * 2 x parameters x positions + 4 x layers x positions^2 x width, with the positions, layers and widths of their
 * configurations. Steps and sizes are the defaults of the model cards.
 */
const makers: readonly (readonly [pattern: RegExp, teraflops: number, passes: number, item: string])[] = [
  [/sdxl-turbo/, 1.6, 1, "picture of 512 x 512 in 1 step"],
  [/sd-turbo/, 0.8, 1, "picture of 512 x 512 in 1 step"],
  [
    /sdxl-lightning|sdxl-lcm|lcm-lora-sdxl|dreamshaper-xl.{0,40}(?:turbo|lightning)/,
    6,
    4,
    "picture of 1024 x 1024 in 4 steps",
  ],
  [/lcm/, 0.8, 4, "picture of 512 x 512 in 4 steps"],
  [
    /stable-diffusion-xl|sdxl|-xl-|dreamshaper-xl|playground-v2|animagine|illustrious|pony|juggernaut|realvis|noobai|kolors/,
    6,
    60,
    "picture of 1024 x 1024 in 30 steps",
  ],
  [/stable-diffusion-3\.5-large|sd3\.5-large/, 45, 56, "picture of 1024 x 1024 in 28 steps"],
  [/stable-diffusion-3|sd-?3/, 16, 56, "picture of 1024 x 1024 in 28 steps"],
  [/stable-video-diffusion/, 75, 50, "clip of 25 frames of 1024 x 576 in 25 steps"],
  [
    /stable-diffusion-(?:v1|2|inpainting)|stable-diffusion-v2|sd-v1|realistic-vision|dreamshaper|instruct-pix2pix|small-sd|deliberate/,
    0.8,
    60,
    "picture of 512 x 512 in 30 steps",
  ],
  [/flux\.?1-schnell|flux-1-schnell/, 95, 4, "picture of 1024 x 1024 in 4 steps"],
  [/kontext/, 210, 28, "picture of 1024 x 1024 in 28 steps"],
  [/flux\.?1|flux-1/, 95, 28, "picture of 1024 x 1024 in 28 steps"],
  [/flux\.?2-klein-4b/, 36, 4, "picture of 1024 x 1024 in 4 steps"],
  [/flux\.?2-klein-9b/, 80, 4, "picture of 1024 x 1024 in 4 steps"],
  [/flux\.?2-dev/, 270, 28, "picture of 1024 x 1024 in 28 steps"],
  [/qwen-image-edit.{0,40}lightning/, 400, 4, "picture of 1328 x 1328 in 4 steps"],
  [/qwen-image.{0,40}lightning/, 180, 8, "picture of 1328 x 1328 in 8 steps"],
  [/qwen-image-edit/, 400, 80, "picture of 1328 x 1328 in 40 steps"],
  [/qwen-image/, 180, 100, "picture of 1328 x 1328 in 50 steps"],
  [/z-image-turbo/, 60, 9, "picture of 1024 x 1024 in 9 steps"],
  [/lumina-image-2/, 25, 60, "picture of 1024 x 1024 in 30 steps"],
  [/sana-1600m|sana-1\.6b/, 3.5, 40, "picture of 1024 x 1024 in 20 steps"],
  [/wan2\.1-(?:t2v|vace)-1\.3b/, 283, 100, "clip of 81 frames of 832 x 480 in 50 steps"],
  [/wan2\.1.{0,40}14b/, 1_800, 100, "clip of 81 frames of 832 x 480 in 50 steps"],
  [/wan2\.2-ti2v-5b/, 547, 100, "clip of 121 frames of 1280 x 704 in 50 steps"],
  [/wan2\.2.{0,40}a14b/, 1_800, 80, "clip of 81 frames of 832 x 480 in 40 steps"],
  [/cogvideox-2b/, 132, 100, "clip of 49 frames of 720 x 480 in 50 steps"],
  [/cogvideox-5b/, 357, 100, "clip of 49 frames of 720 x 480 in 50 steps"],
  [/mochi-1/, 2_060, 128, "clip of 163 frames of 848 x 480 in 64 steps"],
];

/** Words of models that were trained to take fewer steps than the one they were made from. */
const FEWER_STEPS = /turbo|lightning|distill|hyper|fast|lightx2v|lcm|schnell/;
/** Rows with at most so many passes are of such models. */
const FEW_PASSES = 10;

const make: WorkRule = ({ taskTypes }, _parameters, names) => {
  const maker = makers.find(([pattern]) => pattern.test(names));
  if (maker === undefined) {
    return undefined;
  }
  const [, teraflops, passes, item] = maker;
  const isClip = taskTypes.some((label) => label.endsWith("-to-video"));
  if (isClip !== item.startsWith("clip") || (passes > FEW_PASSES && FEWER_STEPS.test(names))) {
    return undefined;
  }
  const isSmall = teraflops < 2;
  return {
    unit: item.startsWith("clip") ? "clip" : "picture",
    item,
    gflops: teraflops * passes * 1000,
    share: isSmall ? 0.5 : 1,
    passes,
    spread: 0.55,
    rule: `${passes} passes of ${teraflops} x 10^12 operations`,
  };
};

/**
 * Models that forecast in one pass, with the number of values in one position of their input. A series has 512 values.
 * Models that write one value after another are not here, because nothing published says how fast they are.
 */
const forecasters: readonly (readonly [pattern: RegExp, patch: number])[] = [
  [/chronos-(?:bolt|2)/, 16],
  [/timesfm/, 32],
  [/moirai-(?:1|2)/, 16],
  [/moment-1/, 8],
];
const SERIES_VALUES = 512;

const forecast: WorkRule = (_model, parameters, names) => {
  const patch = forecasters.find(([pattern]) => pattern.test(names))?.[1];
  if (patch === undefined) {
    return undefined;
  }
  return {
    unit: "series",
    item: `series of ${SERIES_VALUES} values, in batches`,
    gflops: (2 * parameters * (SERIES_VALUES / patch + 4)) / 1e9,
    share: 0.1,
    passes: BATCHED,
    spread: 0.9,
    rule: `2 operations for each of ${billions(parameters)} parameters and each ${patch} values`,
  };
};

const rules: Readonly<Record<string, WorkRule>> = {
  "feature-extraction": encode,
  "sentence-similarity": encode,
  "text-ranking": encode,
  "text-classification": encode,
  "token-classification": encode,
  "zero-shot-classification": encode,
  "fill-mask": encode,
  "question-answering": encode,
  "image-classification": classify,
  "zero-shot-image-classification": classify,
  "image-feature-extraction": classify,
  "object-detection": perImage(3_300, "640 x 640", 0.8),
  "zero-shot-object-detection": perImage(5_000, "800 x 1333", 0.8),
  "image-segmentation": perImage(4_200, "512 x 512", 0.8),
  "depth-estimation": perImage(4_400, "518 x 518", 0.9),
  "mask-generation": perImage(LARGE_IMAGE_OPERATIONS, "1024 x 1024", 0.9),
  "keypoint-detection": perImage(400, "256 x 192", 0.8),
  "automatic-speech-recognition": transcribe,
  "text-to-speech": speak,
  "text-to-audio": speak,
  "text-to-image": make,
  "image-to-image": make,
  "text-to-video": make,
  "image-to-video": make,
  "time-series-forecasting": forecast,
};
