/** What people want a model for, finer than a task label. */
export type BoardPurpose =
  | "chat"
  | "language understanding"
  | "language generation"
  | "knowledge"
  | "mathematics"
  | "science"
  | "long context"
  | "tool calling"
  | "agents"
  | "code"
  | "faithful summaries"
  | "search"
  | "similarity"
  | "clustering"
  | "classification"
  | "reranking"
  | "code search"
  | "page search"
  | "transcription"
  | "long recordings"
  | "image classification"
  | "zero-shot image classification"
  | "image search"
  | "object detection"
  | "image generation"
  | "video generation"
  | "visual questions"
  | "forecasting";

/**
 * One ranking of models by one metric. A leaderboard that ranks by several metrics, languages or kinds of tasks is
 * several boards of one `collection`.
 */
export interface Board {
  /** Such as `open-asr-en-shortform`. */
  id: string;
  /** The leaderboard that it belongs to, such as `open-asr`. */
  collection: string;
  /** Follows "the" in a sentence: `Open ASR leaderboard`. */
  name: string;
  /** What is measured, as a phrase. */
  measures: string;
  /** Task labels of the Hub whose models it compares. */
  tasks: readonly string[];
  purposes: readonly BoardPurpose[];
  /** ISO 639-1 codes of the languages that it measures; empty where language does not matter. */
  languages: readonly string[];
  /** The board's headline metric. */
  metric: string;
  higherIsBetter: boolean;
  /** The lowest and the highest possible value. */
  range: readonly [min: number, max: number];
  /** How a sentence states a value; `{}` is the number. */
  words: string;
  /** Decimal places of the number in a sentence. */
  decimals: number;
  /** `speed` for boards that say nothing about the quality of what a model makes. */
  aspect: "quality" | "speed";
  /** What a speed was measured on. */
  device?: string;
  /** SPDX id of the licence of the figures. */
  license: string;
  /** Whom to credit for a figure. */
  attribution: string;
  /** Where people find the board. */
  url: string;
  /** The data set of the Hub whose evaluation results it takes, with the task's id where it has several. */
  hubDataset?: { id: string; task?: string };
}
