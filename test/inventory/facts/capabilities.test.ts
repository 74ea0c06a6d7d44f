import { describe, expect, it } from "vitest";
import { mergeFacts } from "../../../src/inventory/facts/merge.ts";
import { parseRecord, type SourceRecord } from "../../../src/inventory/facts/record.ts";
import { type SourceFacts, toSourceFacts } from "../../../src/inventory/facts/source-facts.ts";

const facts = (source: string, record: Partial<SourceRecord>): SourceFacts =>
  toSourceFacts({ name: "acme/one", ...record }, { source, seenAt: 1 });

function capabilitiesOf(...stored: SourceFacts[]) {
  const { capabilities, factsFrom } = mergeFacts(stored).model;
  return { capabilities, origin: factsFrom.capabilities };
}

const chat = { task_types: ["text-generation"] };

describe("The capabilities of a model", () => {
  it.each<[what: string, stored: SourceFacts[], capabilities: string[] | undefined, origin: string | undefined]>([
    [
      "those of all sources, each from the best",
      [facts("ollama", { capabilities: ["reasoning", "tools"] }), facts("huggingface", { capabilities: ["tools"] })],
      ["tools", "reasoning"],
      "tools (huggingface), reasoning (ollama)",
    ],
    [
      "with the origin that a source states",
      [facts("huggingface", { capabilities: ["tools"], facts_from: { capabilities: "the chat template" } })],
      ["tools"],
      "tools (the chat template)",
    ],
    [
      "those of its task",
      [facts("huggingface", { task_types: ["audio-text-to-text"] })],
      ["audio"],
      "audio (the task audio-text-to-text)",
    ],
    [
      "those of its tags",
      [facts("huggingface", { ...chat, tags: ["Function Calling", "tool_use", "json-mode", "vlm"] })],
      ["tools", "vision", "structured-output"],
      "tools (the tag Function Calling), vision (the tag vlm), structured-output (the tag json-mode)",
    ],
    [
      "nothing from tags where it writes no text",
      [facts("huggingface", { task_types: ["feature-extraction"], tags: ["reasoning", "tools", "vision"] })],
      undefined,
      undefined,
    ],
    [
      "thinking by its name",
      [facts("huggingface", { name: "acme/One-4B-Thinking-2507", ...chat })],
      ["reasoning"],
      "reasoning (its name)",
    ],
    [
      "thinking after a word that ends in no",
      [facts("huggingface", { name: "acme/Nemotron-Nano-Reasoning-4B", ...chat })],
      ["reasoning"],
      "reasoning (its name)",
    ],
    [
      "no thinking by its name",
      [facts("huggingface", { name: "acme/One-4B-Non-Thinking", ...chat })],
      undefined,
      undefined,
    ],
    [
      "code for models made for it",
      [facts("huggingface", { name: "acme/one-coder", ...chat })],
      ["code"],
      "code (its name, tags or description)",
    ],
    [
      "those of the catalogue's card",
      [facts("huggingface", { name: "Qwen/Qwen3-0.6B", ...chat })],
      ["tools", "reasoning"],
      "tools, reasoning (modelscout's catalogue)",
    ],
    [
      "those of its original's card, for a copy in another format",
      [facts("huggingface", { name: "acme/Qwen3-0.6B-GGUF", ...chat, base_model: "Qwen/Qwen3-0.6B" })],
      ["tools", "reasoning"],
      "tools, reasoning (modelscout's catalogue)",
    ],
    [
      "none of its base's card, for a model that was trained further",
      [facts("huggingface", { name: "acme/Qwen3-0.6B-poems", ...chat, base_model: "Qwen/Qwen3-0.6B" })],
      undefined,
      undefined,
    ],
    [
      "none of a base model's chat template, which is that of its line",
      [
        facts("huggingface", {
          name: "Qwen/Qwen3-0.6B-Base",
          ...chat,
          capabilities: ["tools", "reasoning"],
          facts_from: { capabilities: "the chat template" },
        }),
      ],
      undefined,
      undefined,
    ],
    [
      "nothing by a label that is no label",
      [facts("huggingface", { task_types: ["constructor"] })],
      undefined,
      undefined,
    ],
  ])("are %s", (_, stored, capabilities, origin) => {
    expect(capabilitiesOf(...stored)).toEqual({ capabilities, origin });
  });

  it("are checked in the import format", () => {
    expect(parseRecord({ name: "acme/one", capabilities: ["tools", "fly", 7] })).toEqual({
      problem:
        "capabilities.1: must be one of tools, reasoning, vision, audio, structured-output, code; capabilities.2: must be one of tools, reasoning, vision, audio, structured-output, code",
    });
  });
});
