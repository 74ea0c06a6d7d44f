/** The hub label of most models of a line, by the beginning of the series; the first match counts. */
const taskOfLine: ReadonlyArray<readonly [series: RegExp, label: string]> = [
  [/^qwen-image-edit/, "image-to-image"],
  [/^qwen-image/, "text-to-image"],
  [/^qwen[\d.]*-embedding/, "feature-extraction"],
  [/^qwen[\d.]*-reranker/, "text-ranking"],
  [/^qwen[\d.]*-vl/, "image-text-to-text"],
  [/^qwen[\d.]*-omni/, "any-to-any"],
  [/^qwen[\d.]*-audio/, "audio-text-to-text"],
  [/^qwen[\d.]*-(?:asr|forcedaligner)/, "automatic-speech-recognition"],
  [/^qwen[\d.]*-tts/, "text-to-speech"],
  [/^(?:bge|jina)-reranker|^mxbai-rerank/, "text-ranking"],
  [/^embeddinggemma/, "sentence-similarity"],
  [/^paligemma|^pixtral|^minicpm-[vo]|^glm-\d(?:\.\d)?v|^deepseek-vl|^kimi-vl|^minimax-vl/, "image-text-to-text"],
  [/^deepseek-ocr|^glm-ocr|^hunyuan-ocr/, "image-text-to-text"],
  [/^voxtral/, "audio-text-to-text"],
  [/^granite-embedding/, "feature-extraction"],
  [/^granite-speech|^vibevoice-asr|^glm-asr/, "automatic-speech-recognition"],
  [/^granite-(?:vision|docling)/, "image-text-to-text"],
  [/^hunyuan-video/, "text-to-video"],
  [/^hunyuan-image/, "text-to-image"],
  [/^hunyuan-3d/, "image-to-3d"],
  [/^(?:hunyuan|hy)-mt|^translategemma/, "translation"],
  [/^stable-video-diffusion/, "image-to-video"],
  [/^nomic-embed-vision/, "image-feature-extraction"],
  [/^jina-clip/, "feature-extraction"],
  [/^yolo-world/, "zero-shot-object-detection"],
  [/^owlv2/, "zero-shot-object-detection"],
];

/** The hub label of most models of a family, for families with one task. */
const taskOfFamily: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "text-generation":
      "qwen llama mistral gemma deepseek phi glm granite gpt-oss yi olmo smollm tinyllama falcon internlm baichuan command apertus bielik exaone nemotron lfm minimax kimi eurollm solar starcoder gpt2 gpt-neo gpt-neox gpt-j pythia opt bloom mpt rwkv stablelm jamba zamba zaya bamba codegen minicpm llada dream openelm openllama hyperclovax longcat ling opencoder salamandra lucie llm-jp nanbeige mellum grok dbrx seed-oss seed-coder cerebras-gpt bitnet hunyuan ernie step arcee",
    "image-text-to-text":
      "llava smolvlm internvl idefics molmo moondream florence ovis kosmos paddleocr got-ocr dots-ocr lightonocr fuyu videollama",
    "visual-document-retrieval": "colpali",
    "image-to-text": "blip trocr nougat donut git manga-ocr texify",
    "automatic-speech-recognition": "whisper parakeet canary moonshine paraformer sensevoice zipformer speech-to-text",
    "text-to-speech":
      "kokoro xtts f5-tts chatterbox parler-tts outetts piper supertonic kitten-tts orpheus neutts fish-speech cosyvoice indextts spark-tts styletts tacotron fastspeech vits dia csm vibevoice voxcpm omnivoice zonos pocket-tts",
    "text-to-audio": "musicgen audioldm stable-audio ace-step",
    "voice-activity-detection": "silero marblenet",
    "audio-to-audio": "snac dac vocos bigvgan encodec neucodec demucs deepfilternet sepformer conv-tasnet xcodec",
    "text-to-image":
      "stable-diffusion flux z-image pixart sana kandinsky kolors hidream lumina chroma auraflow playground stable-cascade ideogram",
    "text-to-video": "wan ltx cogvideo mochi open-sora modelscope skyreels",
    "image-to-3d": "trellis triposr stable-fast-3d",
    "unconditional-image-generation": "ddpm ncsnpp",
    "feature-extraction":
      "bge e5 gte jina nomic-embed potion arctic-embed mxbai stella contriever dpr uae m3e splade colbert voyage harrier nv-embed kalm ruri specter",
    "sentence-similarity": "minilm labse text2vec",
    "zero-shot-image-classification": "clip siglip perception-encoder",
    "image-feature-extraction": "dino aimv2 ijepa",
    "image-classification":
      "resnet convnext efficientnet mobilenet mobilevit regnet repvgg vgg densenet inception edgenext rexnet repvit deit swin levit cvt pvt poolformer efficientvit maxvit nfnet ghostnet xception",
    "object-detection": "detr table-transformer rtmdet d-fine rcnn",
    "zero-shot-object-detection": "grounding-dino owlvit omdet",
    "mask-generation": "sam",
    "image-segmentation": "segformer mask2former oneformer clipseg birefnet rmbg upernet deeplab",
    "depth-estimation": "depth-anything zoedepth unidepth dpt glpn depth-pro marigold",
    "keypoint-detection": "vitpose",
    "video-classification": "videomae timesformer vivit vjepa xclip",
    "token-classification": "gliner privacy-filter sat",
    translation: "marian nllb m2m100 indictrans fsmt",
    summarization: "pegasus",
    "time-series-forecasting": "chronos timesfm moirai time-moe sundial kronos tirex lag-llama",
    "reinforcement-learning": "ppo dqn a2c td3 poca decision-transformer",
  }).flatMap(([label, families]) => families.split(" ").map((family) => [family, label] as const)),
);

/** Names of parts of models, of experiments, and of models that judge other models. */
const part =
  /(?<![a-z])(?:vaes?|taesd|clip-(?:g|l|vision)|(?:text|image|audio|vision|en|de|ctx|query|question)-?encoder|encoder-only|decoder|controlnet|loras?|adapter|tokenizer|aligner|speculator|eagle|draft|dflash|upscaler|safety|random|dummy|test|testing|reward|rm|prm|genrm|classif\w*|detect\w*|guard|implementation|nli|ner|pos)(?![a-z])/;

/** Words in the names of models of a language model family that have another task. */
const notText =
  /(?<![a-z])(?:vl|vlm|smolvlm|colqwen|vision|omni|audio|voxtral|pixtral|speech|tts|asr|stt|ocr|image|video|timeseries|ttm|embed\w*|rerank\w*|retriev\w*|colbert|sts|nli|toxic\w*|sentiment|paligemma|translategemma|embeddinggemma|multimodal|it-assistant|mt)(?![a-z])|\dv(?![a-z0-9])/;

/** The facts from which the task of a model without a label is derived. */
export interface UnlabelledModel {
  family: string;
  series?: string;
  /** `owner/model` */
  name: string;
  /** Whether a tag says that it has a chat template. */
  chats: boolean;
}

/**
 * Derives the hub label of a model without one from its series, its family or the tag for chat templates; undefined
 * when its name shows another task, and for families with several tasks.
 */
export function taskOfLineage({ family, series, name, chats }: UnlabelledModel): string | undefined {
  const short = name
    .slice(name.indexOf("/") + 1)
    .toLowerCase()
    .replaceAll("_", "-");
  if (part.test(short)) {
    return undefined;
  }
  const ofLine = series && taskOfLine.find(([line]) => line.test(series))?.[1];
  if (ofLine) {
    return ofLine;
  }
  const task = taskOfFamily.get(family) ?? (chats ? "text-generation" : undefined);
  return task === "text-generation" && notText.test(short) ? undefined : task;
}
