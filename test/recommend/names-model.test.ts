import { expect, it } from "vitest";
import { namesModel, paddedWords } from "../../src/recommend/score/names-model.ts";

it.each([
  ["Qwen3 8B", "Qwen/Qwen3-8B"],
  ["is whisper-large-v3 any good for German?", "openai/whisper-large-v3"],
  ["Run Llama-3.2-1B-Instruct, please", "meta-llama/Llama-3.2-1B-Instruct"],
  ["bert base uncased", "google-bert/bert-base-uncased"],
])("%j names %s", (description, name) => {
  expect(namesModel(paddedWords(description), name)).toBe(true);
});

it.each([
  ["Qwen3 80B", "Qwen/Qwen3-8B"],
  ["whisper-large-v3", "openai/whisper-large"],
  ["multilingual sentiment analysis of reviews", "tabularisai/multilingual-sentiment-analysis"],
  ["which dogs bark", "suno/bark"],
  ["clip the ends off recordings", "openai/clip"],
  ["transcribe meetings", "openai/whisper-small"],
  ["", "a/1"],
])("%j does not name %s", (description, name) => {
  expect(namesModel(paddedWords(description), name)).toBe(false);
});
