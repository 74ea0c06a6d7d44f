/** The nine task types of the contract, as people call them, in its order. */
export const taskTypes = {
  "text-gen": "Text",
  "image-gen": "Image & video",
  code: "Code",
  embed: "Search & similarity",
  classify: "Classifying",
  vision: "Vision",
  audio: "Audio & speech",
  multimodal: "Multimodal",
  other: "Other",
} as const;

export type TaskType = keyof typeof taskTypes;

/** Whether a text is one of the nine. */
export function isTaskType(text: string): text is TaskType {
  return Object.hasOwn(taskTypes, text);
}
