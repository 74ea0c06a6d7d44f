import type { Model, TaskType } from "../inventory/index.ts";

/** The least confidence in a task of which an answer says that it was read. Less certain ones can still lead to a model. */
export const LEAST_CONFIDENCE = 0.05;

/** How well a model of the second label serves a need for the first, 0 to 1. Other pairs: 0, a label itself: 1. */
const serves: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "text-generation": { conversational: 0.9, "image-text-to-text": 0.6, "text2text-generation": 0.5, "any-to-any": 0.4 },
  conversational: { "text-generation": 0.9, "image-text-to-text": 0.6, "any-to-any": 0.4, "text2text-generation": 0.4 },
  "text2text-generation": { "text-generation": 0.7, summarization: 0.4, translation: 0.3, conversational: 0.5 },
  summarization: { "text2text-generation": 0.6, "text-generation": 0.6, conversational: 0.4 },
  translation: { "text2text-generation": 0.5, "text-generation": 0.5 },
  "question-answering": { "text-generation": 0.5, "document-question-answering": 0.3, "table-question-answering": 0.2 },
  "table-question-answering": { "text-generation": 0.4, "question-answering": 0.3, "text2text-generation": 0.3 },
  "sentence-similarity": { "feature-extraction": 0.85, "text-ranking": 0.4 },
  "feature-extraction": { "sentence-similarity": 0.8, "image-feature-extraction": 0.3 },
  "text-ranking": { "sentence-similarity": 0.5, "feature-extraction": 0.4 },
  "text-classification": { "zero-shot-classification": 0.55 },
  "zero-shot-classification": { "text-classification": 0.4 },
  "text-to-image": { "image-text-to-image": 0.5, "image-to-image": 0.3, "any-to-any": 0.3 },
  "image-to-image": { "image-text-to-image": 0.8, "text-to-image": 0.3 },
  "image-text-to-image": { "image-to-image": 0.9 },
  "text-to-video": { "image-to-video": 0.5 },
  "image-to-video": { "text-to-video": 0.4, "image-text-to-video": 0.9 },
  "text-to-3d": { "image-to-3d": 0.5 },
  "image-to-3d": { "text-to-3d": 0.4 },
  "unconditional-image-generation": { "text-to-image": 0.5 },
  "image-classification": { "zero-shot-image-classification": 0.55, "image-feature-extraction": 0.35 },
  "zero-shot-image-classification": { "image-classification": 0.35, "image-feature-extraction": 0.3 },
  "object-detection": { "zero-shot-object-detection": 0.65 },
  "zero-shot-object-detection": { "object-detection": 0.5 },
  "image-segmentation": { "mask-generation": 0.6 },
  "mask-generation": { "image-segmentation": 0.6 },
  "image-to-text": { "image-text-to-text": 0.7, "visual-question-answering": 0.4, "any-to-any": 0.3 },
  "image-feature-extraction": { "feature-extraction": 0.3, "zero-shot-image-classification": 0.5 },
  "video-classification": { "video-text-to-text": 0.4 },
  "image-text-to-text": { "visual-question-answering": 0.7, "any-to-any": 0.6, "image-to-text": 0.4 },
  "visual-question-answering": { "image-text-to-text": 0.85, "any-to-any": 0.5, "image-to-text": 0.3 },
  "document-question-answering": { "image-text-to-text": 0.7, "visual-question-answering": 0.5, "image-to-text": 0.4 },
  "video-text-to-text": { "image-text-to-text": 0.6, "any-to-any": 0.5 },
  "visual-document-retrieval": { "image-feature-extraction": 0.3 },
  "any-to-any": { "image-text-to-text": 0.5, "audio-text-to-text": 0.3 },
  "automatic-speech-recognition": { "audio-text-to-text": 0.5 },
  "audio-text-to-text": { "any-to-any": 0.5, "automatic-speech-recognition": 0.4 },
  "text-to-speech": { "text-to-audio": 0.5 },
  "text-to-audio": { "text-to-speech": 0.3 },
  "voice-activity-detection": { "audio-classification": 0.3 },
  "tabular-classification": { "tabular-regression": 0.4 },
  "tabular-regression": { "tabular-classification": 0.4, "time-series-forecasting": 0.3 },
  robotics: { "reinforcement-learning": 0.5 },
  "reinforcement-learning": { robotics: 0.4 },
  // Models of proteins, genomes and the Earth have the label of what they do with their kind of text or image.
  other: { "fill-mask": 0.6, "feature-extraction": 0.6, "image-feature-extraction": 0.5 },
};

/** Factors of the match: if the need is for code and the model is not made for code, and the other way round. */
const PLAIN_FOR_CODE = 0.6;
const CODE_FOR_PLAIN = 0.55;

/** Factor of the match of a vision-language model that only reads documents, for a need for chat or text. */
const READER_FOR_TEXT = 0.5;

/** The least task match of a suitable model. */
export const SUITABLE_TASK = 0.5;

/** A task that a need asks for. */
export interface WantedTask {
  task: string;
  /** The type of the task; `code` for the generation of programs. */
  taskType: TaskType;
  /** If the need has two parts: the part that asks for this task. */
  part?: 1 | 2;
}

/** How well a model serves a task, 0 to 1: 1 for its own label, less for a related one, 0 otherwise. */
export function taskMatch(wanted: WantedTask, model: Model): number {
  const byLabel = serves[wanted.task];
  let best = 0;
  for (let i = 0; i < model.labels.length; i++) {
    const label = model.labels[i] as string;
    const match = label === wanted.task ? 1 : (byLabel?.[label] ?? 0);
    // The first label is the main task of the model.
    best = Math.max(best, i === 0 ? match : match * 0.95);
  }
  const isCodeWanted = wanted.taskType === "code";
  if (best === 0 || (!isCodeWanted && wanted.taskType !== "text-gen")) {
    return best;
  }
  if (isReader(model)) {
    best *= READER_FOR_TEXT;
  }
  const isCode = model.types.includes("code");
  if (isCodeWanted) {
    return isCode ? best : best * PLAIN_FOR_CODE;
  }
  return isCode ? best * CODE_FOR_PLAIN : best;
}

/**
 * Whether the model only reads the text of pages (OCR), although the hub gives it the label of models that chat. Its
 * name says so; the tag "ocr" does not decide, because models that chat have it too.
 */
function isReader({ labels, name }: Model): boolean {
  return labels[0] === "image-text-to-text" && /ocr/i.test(name.slice(name.indexOf("/") + 1));
}

/** The labels whose models serve a task with at least this match, the task's own first. */
export function labelsServing(task: string, atLeast: number): string[] {
  const related = Object.entries(serves[task] ?? {}).filter(([, match]) => match >= atLeast);
  return [task, ...related.map(([label]) => label)];
}

/** What a model of a hub label does, as the end of "It is made for …". */
const titles: Readonly<Record<string, string>> = {
  other: "work without a standard task label",
  "text-generation": "writing and answering in text",
  conversational: "holding a conversation",
  "text2text-generation": "turning one text into another",
  summarization: "summarising text",
  translation: "translating text",
  "question-answering": "answering questions from a text",
  "table-question-answering": "answering questions about tables",
  "text-to-image": "making images from text",
  "image-to-image": "changing images",
  "image-text-to-image": "editing images by instruction",
  "text-to-video": "making video from text",
  "image-to-video": "making video from an image",
  "image-text-to-video": "making video from an image and text",
  "video-to-video": "changing video",
  "image-to-3d": "making 3D shapes from images",
  "text-to-3d": "making 3D shapes from text",
  "unconditional-image-generation": "making images without a prompt",
  "sentence-similarity": "comparing texts by meaning",
  "feature-extraction": "turning text into vectors for search and other models",
  "text-ranking": "ranking texts by how well they answer a query",
  "text-classification": "sorting text into classes",
  "token-classification": "marking names and other parts of text",
  "zero-shot-classification": "sorting text into classes that you name",
  "fill-mask": "filling in missing words",
  "image-classification": "saying what an image shows",
  "zero-shot-image-classification": "sorting images into classes that you name",
  "object-detection": "finding objects in images",
  "zero-shot-object-detection": "finding objects that you name in images",
  "image-segmentation": "dividing images into regions",
  "mask-generation": "cutting out any object in an image",
  "depth-estimation": "estimating depth from an image",
  "keypoint-detection": "finding keypoints in images",
  "image-to-text": "describing and reading images",
  "image-feature-extraction": "turning images into vectors",
  "video-classification": "saying what happens in a video",
  "automatic-speech-recognition": "transcribing speech",
  "text-to-speech": "speaking text aloud",
  "text-to-audio": "making sound and music from text",
  "audio-to-audio": "changing and cleaning audio",
  "audio-classification": "sorting sounds and voices",
  "audio-text-to-text": "answering about audio",
  "voice-activity-detection": "detecting when somebody speaks",
  "image-text-to-text": "answering about images in text",
  "any-to-any": "working across text, images, audio or video",
  "visual-question-answering": "answering questions about images",
  "document-question-answering": "answering questions about documents",
  "video-text-to-text": "answering about video",
  "visual-document-retrieval": "finding pages by what they show",
  "tabular-classification": "sorting rows of a table",
  "tabular-regression": "predicting a number from rows of a table",
  "time-series-forecasting": "forecasting time series",
  "reinforcement-learning": "learning actions from rewards",
  robotics: "controlling robots",
  "graph-ml": "learning from graphs",
};

/**
 * What a model of a label does, as the end of "It is made for …". An unknown label is returned with blanks for hyphens.
 */
export function taskTitle(label: string): string {
  return titles[label] ?? label.replaceAll("-", " ");
}
