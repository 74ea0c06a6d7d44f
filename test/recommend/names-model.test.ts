import { expect, it } from "vitest";
import { namesModel, paddedWords } from "../../src/recommend/score/names-model.ts";

it.each([
  ["Qwen3 8B", "Qwen/Qwen3-8B"],
  ["is whisper-large-v3 any good for German?", "openai/whisper-large-v3"],
  ["Run Llama-3.2-1B-Instruct, please", "meta-llama/Llama-3.2-1B-Instruct"],
  ["bert base uncased", "google-bert/bert-base-uncased"],
  ["llama 3.3 70b for our support desk", "meta-llama/Llama-3.3-70B-Instruct"],
  ["Llama 3.3 70B Instruct", "meta-llama/Llama-3.3-70B-Instruct"],
  ["mistral 7b", "mistralai/Mistral-7B-Instruct-v0.3"],
  ["gemma 3 27b", "google/gemma-3-27b-it"],
  ["qwen3 4b instruct 2507", "Qwen/Qwen3-4B-Instruct-2507"],
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
  ["phi-4 mini", "microsoft/phi-4"],
  ["deepseek r1 distill", "deepseek-ai/DeepSeek-R1"],
  ["qwen3 4b instruct 2507", "Qwen/Qwen3-4B"],
  ["a chat model", "owner/chat-model-it"],
])("%j does not name %s", (description, name) => {
  expect(namesModel(paddedWords(description), name)).toBe(false);
});
