/** The nine task types, in the contract's order. */
export const taskTypes = [
  "text-gen",
  "image-gen",
  "code",
  "embed",
  "classify",
  "vision",
  "audio",
  "multimodal",
  "other",
] as const;

export type TaskType = (typeof taskTypes)[number];

/** The contract's table from hub task labels to task types. A label that is not here is `other`. */
const typeOfLabel: ReadonlyMap<string, TaskType> = new Map<string, TaskType>([
  ["text-generation", "text-gen"],
  ["summarization", "text-gen"],
  ["translation", "text-gen"],
  ["question-answering", "text-gen"],
  ["text2text-generation", "text-gen"],
  ["conversational", "text-gen"],
  ["table-question-answering", "text-gen"],
  ["text-to-image", "image-gen"],
  ["image-to-image", "image-gen"],
  ["image-text-to-image", "image-gen"],
  ["text-to-video", "image-gen"],
  ["image-to-video", "image-gen"],
  ["image-text-to-video", "image-gen"],
  ["video-to-video", "image-gen"],
  ["image-to-3d", "image-gen"],
  ["text-to-3d", "image-gen"],
  ["unconditional-image-generation", "image-gen"],
  ["sentence-similarity", "embed"],
  ["feature-extraction", "embed"],
  ["text-ranking", "embed"],
  ["text-classification", "classify"],
  ["token-classification", "classify"],
  ["zero-shot-classification", "classify"],
  ["fill-mask", "classify"],
  ["image-classification", "vision"],
  ["zero-shot-image-classification", "vision"],
  ["object-detection", "vision"],
  ["zero-shot-object-detection", "vision"],
  ["image-segmentation", "vision"],
  ["mask-generation", "vision"],
  ["depth-estimation", "vision"],
  ["keypoint-detection", "vision"],
  ["image-to-text", "vision"],
  ["image-feature-extraction", "vision"],
  ["video-classification", "vision"],
  ["automatic-speech-recognition", "audio"],
  ["text-to-speech", "audio"],
  ["text-to-audio", "audio"],
  ["audio-to-audio", "audio"],
  ["audio-classification", "audio"],
  ["audio-text-to-text", "audio"],
  ["voice-activity-detection", "audio"],
  ["image-text-to-text", "multimodal"],
  ["any-to-any", "multimodal"],
  ["visual-question-answering", "multimodal"],
  ["document-question-answering", "multimodal"],
  ["video-text-to-text", "multimodal"],
  ["visual-document-retrieval", "multimodal"],
  ["tabular-classification", "other"],
  ["tabular-regression", "other"],
  ["time-series-forecasting", "other"],
  ["reinforcement-learning", "other"],
  ["robotics", "other"],
  ["graph-ml", "other"],
  ["other", "other"],
]);

/** All hub labels that the table knows. */
export const knownLabels: readonly string[] = [...typeOfLabel.keys()];

/** The task type of a hub label; `other` for a label that the table lacks. */
export function taskTypeOf(label: string): TaskType {
  return typeOfLabel.get(label) ?? "other";
}

/** Whether the word is one of the nine task types. */
export function isTaskType(word: string): word is TaskType {
  return (taskTypes as readonly string[]).includes(word);
}
