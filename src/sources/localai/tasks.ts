import type { GalleryEntry } from "./api.ts";

/** The hub label of each use of LocalAI that has one. */
const labelOfUse: Readonly<Record<string, string>> = {
  chat: "text-generation",
  completion: "text-generation",
  embeddings: "feature-extraction",
  token_classify: "token-classification",
  image: "text-to-image",
  video: "text-to-video",
  transcript: "automatic-speech-recognition",
  vad: "voice-activity-detection",
  tts: "text-to-speech",
  sound_generation: "text-to-audio",
  audio_transform: "audio-to-audio",
  speaker_recognition: "audio-classification",
  realtime_audio: "audio-text-to-text",
  face_recognition: "image-feature-extraction",
  detection: "object-detection",
  rerank: "text-ranking",
};

/** The hub label of tags, for entries without a use. The first match counts. */
const labelOfTag: ReadonlyArray<readonly [tags: readonly string[], label: string]> = [
  [["text-to-speech", "tts", "voice-cloning"], "text-to-speech"],
  [["speech-recognition", "asr", "stt", "transcription", "speech-to-text"], "automatic-speech-recognition"],
  [["vad", "voice-activity-detection"], "voice-activity-detection"],
  [["image-to-video"], "image-to-video"],
  [["text-to-video", "video-generation"], "text-to-video"],
  [["image-editing", "image-to-image"], "image-to-image"],
  [["text-to-image", "image-generation"], "text-to-image"],
  [["depth-estimation"], "depth-estimation"],
  [["object-detection"], "object-detection"],
  [["segmentation", "image-segmentation"], "image-segmentation"],
  [["music-generation", "text-to-audio", "sound-generation"], "text-to-audio"],
  [["audio-classification", "sound-event-detection"], "audio-classification"],
  [["image-to-3d"], "image-to-3d"],
  [["reranker", "rerank", "reranking"], "text-ranking"],
  [["embedding", "embeddings", "text-embedding"], "feature-extraction"],
  [["token-classification", "ner"], "token-classification"],
  [["text-classification"], "text-classification"],
  [["image-to-text", "ocr"], "image-to-text"],
];

/** Tags of language models: most entries name what the model is good at, not that it writes text. */
const languageTags = [
  "llm",
  "chat",
  "instruction-tuned",
  "instruct",
  "reasoning",
  "roleplay",
  "creative-writing",
  "function-calling",
];
const sightTags = ["vision", "vlm", "multimodal"];

/** The hub labels of a gallery entry; empty if neither its uses nor its tags have one. */
export function galleryTasks({ overrides, tags }: GalleryEntry): string[] {
  const uses = new Set(overrides?.known_usecases ?? []);
  const words = new Set((tags ?? []).map((tag) => tag.toLowerCase()));
  const declared = [...uses].flatMap((use) => labelOfUse[use] ?? []);
  const tagged = labelOfTag.find(([names]) => names.some((name) => words.has(name)))?.[1];
  const labels = declared.length > 0 ? declared : tagged === undefined ? [] : [tagged];
  const sees = uses.has("vision") || sightTags.some((tag) => words.has(tag));
  const writes =
    labels.includes("text-generation") || (labels.length === 0 && languageTags.some((tag) => words.has(tag)));
  const main = sees && (writes || uses.has("vision")) ? "image-text-to-text" : writes ? "text-generation" : undefined;
  const others = labels.filter((label) => label !== "text-generation" && label !== main);
  return [...new Set(main === undefined ? others : [main, ...others])];
}
