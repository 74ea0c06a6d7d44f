import { describe, expect, it } from "vitest";
import { readManner } from "../../../src/recommend/understand/manner.ts";

describe("How a need wants to use a model", () => {
  it.each([
    ["a detector that we can fine-tune on our photos", "wanted"],
    ["train it on our own calls", "wanted"],
    ["we have 5,000 labelled tickets to sort by team", "possible"],
    ["sort tickets by team, we have no labelled data", "none"],
    ["something that works out of the box for invoices", "none"],
    ["describe pictures for blind people", "untold"],
    ["book a train to Berlin", "untold"],
    ["a chat bot to train our staff", "untold"],
  ])("training in '%s' is %s", (description, training) => {
    expect(readManner(description).training).toBe(training);
  });

  it("names formats by the words for them and by their engines", () => {
    expect(readManner("a chat model for Ollama").formats).toEqual(["gguf"]);
    expect(readManner("speech to text with faster-whisper").formats).toEqual(["ctranslate2"]);
    expect(readManner("OCR in the browser").formats).toEqual(["onnx"]);
    expect(readManner("write poems").formats).toEqual([]);
    expect(readManner("summarise reports from Jan to March").formats).toEqual([]);
  });

  it.each([
    ["something like Whisper large v3 but smaller", [" whisper large v3 but smaller "]],
    ["an alternative to bge-m3", [" bge m3 "]],
    ["faster than the Qwen3-8B that we have", [" qwen3 8b that we have "]],
    ["speech to text like Whisper but smaller", [" whisper but smaller "]],
    ["like Whisper large, but quicker", [" whisper large but quicker "]],
    ["NLLB-like coverage, but under Apache", [" nllb "]],
    ["a BERT-like encoder for Polish", []],
    ["free Whisper alternative", [" free whisper ", " whisper "]],
    ["Qwen3-8B but smaller", [" qwen3 8b ", " 8b "]],
    ["we like Whisper but it is slow", []],
    ["run Whisper large v3 on a Mac", []],
    ["I would like Qwen3-8B for chat", []],
    ["rather than paying, use Qwen3-8B", []],
  ])("in '%s' what follows a comparison is %j", (description, references) => {
    expect(readManner(description).references).toEqual(references);
  });

  it("reads few comparisons of a text, each of bounded length", () => {
    const { references } = readManner("instead of ".repeat(180));
    expect(references).toHaveLength(4);
    expect(references.every((words) => words.length <= 62)).toBe(true);
  });
});
