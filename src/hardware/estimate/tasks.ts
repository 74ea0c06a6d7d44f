/** Kinds of tasks that differ in memory and time. */
export type TaskKind = "generate" | "diffuse" | "video" | "encode" | "speech" | "vision" | "three-d" | "other";

/** Hub labels of models that generate tokens one by one. */
const GENERATES = new Set([
  "text-generation",
  "text2text-generation",
  "conversational",
  "summarization",
  "translation",
  "image-text-to-text",
  "any-to-any",
  "video-text-to-text",
  "audio-text-to-text",
  "visual-question-answering",
  "image-to-text",
  "code",
]);

const DIFFUSES = new Set([
  "text-to-image",
  "image-to-image",
  "unconditional-image-generation",
  "inpainting",
  "image-text-to-image",
]);
const VIDEO = new Set(["text-to-video", "image-to-video", "video-to-video", "image-text-to-video"]);
const THREE_D = new Set(["text-to-3d", "image-to-3d"]);
const SPEECH = new Set([
  "automatic-speech-recognition",
  "text-to-speech",
  "text-to-audio",
  "audio-to-audio",
  "audio-classification",
  "voice-activity-detection",
]);
const ENCODES = new Set([
  "feature-extraction",
  "sentence-similarity",
  "text-ranking",
  "text-classification",
  "token-classification",
  "zero-shot-classification",
  "fill-mask",
  "question-answering",
  "table-question-answering",
  "visual-document-retrieval",
]);
const VISION = new Set([
  "image-classification",
  "object-detection",
  "image-segmentation",
  "depth-estimation",
  "keypoint-detection",
  "image-feature-extraction",
  "video-classification",
  "zero-shot-image-classification",
  "mask-generation",
  "zero-shot-object-detection",
  "document-question-answering",
]);

/** Formats of language models only, for models without a task. */
const LANGUAGE_FORMATS = new Set(["gguf", "mlx"]);

/** The kind of the first label that has one. Without labels, the kind that the format suggests. */
export function taskKind(labels: readonly string[], format?: string): TaskKind {
  for (const label of labels) {
    if (GENERATES.has(label)) {
      return "generate";
    }
    if (DIFFUSES.has(label)) {
      return "diffuse";
    }
    if (VIDEO.has(label)) {
      return "video";
    }
    if (THREE_D.has(label)) {
      return "three-d";
    }
    if (SPEECH.has(label)) {
      return "speech";
    }
    if (ENCODES.has(label)) {
      return "encode";
    }
    if (VISION.has(label)) {
      return "vision";
    }
  }
  return labels.length === 0 && format !== undefined && LANGUAGE_FORMATS.has(format) ? "generate" : "other";
}

/** Whether a model with these labels reads pictures besides text, so that it needs a projector. */
export function readsPictures(labels: readonly string[]): boolean {
  return labels.some(
    (label) => label === "image-text-to-text" || label === "any-to-any" || label === "video-text-to-text",
  );
}
