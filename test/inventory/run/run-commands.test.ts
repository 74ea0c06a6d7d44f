import { describe, expect, it } from "vitest";
import { mergeFacts } from "../../../src/inventory/facts/merge.ts";
import type { Model } from "../../../src/inventory/facts/model.ts";
import type { SourceRecord } from "../../../src/inventory/facts/record.ts";
import { toSourceFacts } from "../../../src/inventory/facts/source-facts.ts";
import { withRepackagings } from "../../../src/inventory/read/model-page.ts";
import { runCommands } from "../../../src/inventory/run/run-commands.ts";
import { starterRecords } from "../../../src/sources/starter.ts";

function modelOf(record: SourceRecord, source = "huggingface"): Model {
  return mergeFacts([toSourceFacts(record, { source, seenAt: 1 })]).model;
}

/** The first line of each command with its engine. */
function commandsOf(model: Model): string[] {
  return runCommands(model).map(({ engine, command }) => `${engine}: ${command.split("\n")[0]}`);
}

/** The last line of the command for an engine. */
function lastLine(model: Model, engine: string): string | undefined {
  return runCommands(model)
    .find((run) => run.engine === engine)
    ?.command.split("\n")
    .at(-1);
}

const chat = { task_types: ["text-generation"] };
const own = [{ quantization: "bf16", format: "safetensors", size_gb: 16 }];
const gguf = (...labels: string[]) =>
  labels.map((quantization, i) => ({ quantization, format: "gguf", size_gb: 10 - i }));

describe("The commands to start a model", () => {
  it("have a note where they run code from the repository, and only there", () => {
    const notesOf = (record: object) =>
      runCommands(modelOf({ name: "acme/one", ...chat, library: "transformers", variants: own, ...record })).map(
        ({ engine, note }) => [engine, note],
      );
    const note = "It runs code from the repository; read that code first.";
    expect(notesOf({ tags: ["custom_code"] })).toEqual([
      ["vllm", note],
      ["sglang", note],
      ["transformers", note],
    ]);
    expect(notesOf({})).toEqual([
      ["vllm", undefined],
      ["sglang", undefined],
      ["transformers", undefined],
    ]);
  });

  it("take its own weights, and the most downloaded repackaging of each form", () => {
    const base = modelOf({ name: "acme/One-8B", ...chat, library: "transformers", variants: own });
    const repackagings = [
      modelOf({ name: "few/One-8B-GGUF", ...chat, tags: ["gguf"], downloads: 1, variants: gguf("Q8_0", "Q4_K_M") }),
      modelOf({
        name: "many/One-8B-GGUF",
        ...chat,
        tags: ["gguf"],
        downloads: 9,
        variants: gguf("fp16", "Q8_0", "Q6_K", "IQ4_XS"),
      }),
      modelOf({ name: "few/One-8B-AWQ", ...chat, variants: [{ quantization: "AWQ-4bit", format: "safetensors" }] }),
      modelOf({ name: "few/One-8B-4bit", ...chat, variants: [{ quantization: "MLX-4bit", format: "mlx" }] }),
      // Not on the Hub.
      modelOf({ name: "ours/One-8B-GGUF", ...chat, tags: ["gguf"], downloads: 99, variants: gguf("Q8_0") }, "shelf"),
    ];
    const run = runCommands(withRepackagings(base, repackagings));
    expect(
      run.map(({ engine, command, quantization, repository }) => [engine, command, quantization, repository]),
    ).toEqual([
      ["ollama", "ollama run hf.co/many/One-8B-GGUF:Q8_0", "Q8_0", "many/One-8B-GGUF"],
      ["ollama", "ollama run hf.co/few/One-8B-GGUF:Q4_K_M", "Q4_K_M", "few/One-8B-GGUF"],
      ["llama.cpp", "llama-server -hf many/One-8B-GGUF:Q8_0", "Q8_0", "many/One-8B-GGUF"],
      ["llama.cpp", "llama-server -hf few/One-8B-GGUF:Q4_K_M", "Q4_K_M", "few/One-8B-GGUF"],
      ["mlx", 'mlx_lm.generate --model few/One-8B-4bit --prompt "Who are you?"', "MLX-4bit", "few/One-8B-4bit"],
      ["vllm", "vllm serve acme/One-8B", "bf16", "acme/One-8B"],
      ["vllm", "vllm serve few/One-8B-AWQ", "AWQ-4bit", "few/One-8B-AWQ"],
      ["sglang", "python3 -m sglang.launch_server --model-path acme/One-8B", "bf16", "acme/One-8B"],
      ["sglang", "python3 -m sglang.launch_server --model-path few/One-8B-AWQ", "AWQ-4bit", "few/One-8B-AWQ"],
      [
        "transformers",
        'from transformers import pipeline\n\npipe = pipeline("text-generation", model="acme/One-8B")\nprint(pipe("Once upon a time,"))',
        "bf16",
        "acme/One-8B",
      ],
    ]);
    expect(run.every(({ url }) => URL.canParse(url))).toBe(true);
  });

  it.each<[what: string, record: SourceRecord, expected: string[]]>([
    [
      "no tag for a GGUF repository whose files are not known",
      {
        name: "acme/one",
        ...chat,
        variants: gguf("Q8_0", "Q4_K_M").map((variant) => ({ ...variant, repository: "other/one-GGUF" })),
      },
      ["ollama: ollama run hf.co/other/one-GGUF", "llama.cpp: llama-server -hf other/one-GGUF"],
    ],
    [
      "no GGUF that no repository publishes",
      {
        name: "acme/one",
        ...chat,
        variants: gguf("Q8_0", "Q4_K_M").map((variant) => ({ ...variant, unpublished: true })),
      },
      [],
    ],
    [
      "no split GGUF for Ollama",
      { name: "acme/one-GGUF", ...chat, variants: [{ quantization: "Q4_K_M", format: "gguf", size_gb: 60 }] },
      ["llama.cpp: llama-server -hf acme/one-GGUF:Q4_K_M"],
    ],
    [
      "no quantization that is no tag",
      { name: "acme/one-GGUF", ...chat, variants: [{ quantization: "Q4; rm", format: "gguf", size_gb: 1 }] },
      [],
    ],
    [
      "no GGUF of a model for pictures in llama.cpp",
      { name: "acme/one-GGUF", task_types: ["text-to-image"], variants: gguf("Q8_0") },
      [],
    ],
    [
      "the mode of an embedder",
      { name: "acme/one-GGUF", task_types: ["feature-extraction"], variants: gguf("Q8_0") },
      ["ollama: ollama pull hf.co/acme/one-GGUF:Q8_0", "llama.cpp: llama-server -hf acme/one-GGUF:Q8_0 --embedding"],
    ],
    [
      "the mode of a ranker",
      { name: "acme/one-GGUF", task_types: ["text-ranking"], variants: gguf("Q8_0") },
      ["llama.cpp: llama-server -hf acme/one-GGUF:Q8_0 --reranking"],
    ],
    [
      "the repository's own code where it has some",
      { name: "acme/one", ...chat, library: "transformers", tags: ["custom_code"], variants: own },
      [
        "vllm: vllm serve acme/one --trust-remote-code",
        "sglang: python3 -m sglang.launch_server --model-path acme/one --trust-remote-code",
        "transformers: from transformers import pipeline",
      ],
    ],
    [
      "whisper.cpp for the models that it downloads",
      { name: "openai/whisper-base.en", task_types: ["automatic-speech-recognition"] },
      ["whisper.cpp: sh ./models/download-ggml-model.sh base.en"],
    ],
    ["no whisper.cpp for others", { name: "acme/whisper-base.en", task_types: ["automatic-speech-recognition"] }, []],
    [
      "ComfyUI for a repository of its files",
      { name: "acme/-one", task_types: ["text-to-image"], tags: ["comfyui"], library: "diffusion-single-file" },
      ["comfyui: hf download acme/-one --local-dir one"],
    ],
    [
      "transformers.js for ONNX that was made for it",
      { name: "acme/one-ONNX", task_types: ["sentence-similarity"], library: "transformers.js" },
      ["transformers.js: import { pipeline } from '@huggingface/transformers';"],
    ],
    [
      "nothing for a control net alone",
      { name: "acme/controlnet-x", task_types: ["text-to-image"], library: "diffusers" },
      [],
    ],
  ])("have %s", (_, record, expected) => {
    expect(commandsOf(modelOf(record))).toEqual(expected);
  });

  it.each<[engine: string, record: SourceRecord, line: string]>([
    [
      "transformers",
      { name: "acme/one-it", ...chat, library: "transformers", variants: own },
      'print(pipe([{"role": "user", "content": "Who are you?"}]))',
    ],
    [
      "transformers",
      { name: "acme/one", task_types: ["translation"], tags: ["marian"], library: "transformers" },
      "print(tokenizer.decode(outputs[0], skip_special_tokens=True))",
    ],
    [
      "sentence-transformers",
      { name: "acme/one", task_types: ["text-ranking"], library: "sentence-transformers" },
      'print(model.predict([("What is it?", "It is a lamp."), ("What is it?", "Tomorrow.")]))',
    ],
    [
      "diffusers",
      { name: "acme/one", task_types: ["image-to-video"], library: "diffusers" },
      'export_to_video(pipe(image=load_image("photo.jpg"), prompt="The sea moves").frames[0], "video.mp4")',
    ],
    [
      "mlx",
      { name: "acme/one", task_types: ["image-text-to-text"], library: "mlx" },
      'python -m mlx_vlm.generate --model acme/one --image photo.jpg --prompt "Describe this image."',
    ],
  ])("of %s end as the task needs", (engine, record, line) => {
    expect(lastLine(modelOf(record), engine)).toBe(line);
  });

  it("load a LoRA into the pipeline of its base", () => {
    const record = { name: "acme/one", task_types: ["text-to-image"], library: "diffusers" };
    const [run] = runCommands(modelOf({ ...record, tags: ["lora"], base_model: "acme/base" }));
    expect(run?.command).toContain('from_pretrained("acme/base"');
    expect(run?.command).toContain('pipe.load_lora_weights("acme/one")');
    expect(runCommands(modelOf({ ...record, tags: ["lora"] }))).toEqual([]);
  });

  it("name Ollama's own models as Ollama does", () => {
    const record = { name: "ollama/mattw--pygmalion:latest", ...chat };
    expect(commandsOf(modelOf(record, "ollama"))).toEqual(["ollama: ollama run mattw/pygmalion:latest"]);
    expect(commandsOf(modelOf(record, "shelf"))).toEqual([]);
  });

  it.each(["acme/$(reboot)", 'acme/x";reboot', "acme/x y", "-acme/x", "acme/x'`", "acme/x\\"])(
    "never contain a name that is none of the Hub: %s",
    (name) => {
      const facts = { library: "transformers", variants: [...own, ...gguf("Q8_0")], tags: ["gguf", "mlx", "comfyui"] };
      expect(runCommands(modelOf({ name, ...chat, ...facts }))).toEqual([]);
      const other = modelOf({
        name: "acme/one",
        ...chat,
        variants: gguf("Q4_K_M").map((variant) => ({ ...variant, repository: name })),
      });
      expect(runCommands(other)).toEqual([]);
    },
  );

  it("name only repositories that the facts name, for every model of the catalogue", async () => {
    const models: Model[] = [];
    for await (const record of starterRecords()) {
      models.push(modelOf(record));
    }
    const ofBase = Map.groupBy(
      models.filter(({ repackaging }) => repackaging),
      ({ baseModel }) => baseModel?.toLowerCase(),
    );
    let count = 0;
    for (const model of models) {
      const repackagings = ofBase.get(model.key) ?? [];
      const named = new Set([
        model.name,
        ...repackagings.map(({ name }) => name),
        ...model.variants.map(({ repository }) => repository),
        "ggerganov/whisper.cpp",
      ]);
      for (const { repository, quantization, command, engine } of runCommands(withRepackagings(model, repackagings))) {
        expect(named).toContain(repository);
        if (command.includes(":Q")) {
          const publisher = [model, ...repackagings].find(({ name }) => name === repository);
          expect([engine, publisher?.variants.map((variant) => variant.quantization)]).toEqual([
            engine,
            expect.arrayContaining([quantization]),
          ]);
        }
        count++;
      }
    }
    expect(count).toBeGreaterThan(3_000);
  });
});
