import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { estimateRequest, readHardware, type Throughput, throughputText } from "../../src/hardware/index.ts";

/** A published speed, with its source. `at_least`: the source says "over" or "under". */
interface Anchor {
  model: string;
  task: string;
  parameters: number;
  hardware: { gpuName?: string; cpuName?: string; memoryGb?: number };
  unit: string;
  measured: number;
  at_least?: boolean;
  published: string;
  source: string;
}

const anchors = readFileSync(new URL("../fixtures/hardware/throughput-anchors.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Anchor);

/** The first word of a model's name without digits, such as "vit" or "yolo". Distillations of Whisper are Whisper's. */
function familyOf({ model }: Anchor): string {
  return /whisper/.test(model)
    ? "whisper"
    : (/[a-z]+/.exec((model.split("/")[1] ?? model).toLowerCase())?.[0] ?? model);
}

function estimate(
  name: string,
  task: string,
  parameters: number | undefined,
  hardware: Anchor["hardware"] & { class?: string },
  quantization = "fp16",
) {
  const result = estimateRequest({ model: { name, taskTypes: [task], parameters }, quantization, hardware });
  if (!("estimate" in result)) {
    throw new Error(JSON.stringify(result));
  }
  return result.estimate;
}

function throughput(...query: Parameters<typeof estimate>): Throughput {
  const found = estimate(...query).throughput;
  if (found === undefined) {
    throw new Error(`no throughput for ${query[0]}`);
  }
  return found;
}

describe("against published speeds", () => {
  const found = anchors.map((anchor) => ({
    anchor,
    speed: throughput(anchor.model, anchor.task, anchor.parameters, anchor.hardware),
  }));

  it("counts in the unit of the source", () => {
    for (const { anchor, speed } of found) {
      expect(speed.unit, anchor.model).toBe(anchor.unit);
      expect(anchor.source.length, anchor.model).toBeGreaterThan(10);
    }
  });

  it("holds nine of ten in the range, and half within 30 %", () => {
    const holds = found.filter(({ anchor: { measured, at_least }, speed }) =>
      at_least === true ? measured <= speed.high : speed.low <= measured && measured <= speed.high,
    );
    expect(holds.length / found.length).toBeGreaterThanOrEqual(0.9);
    const errors = found
      .filter(({ anchor }) => anchor.at_least !== true)
      .map(({ anchor, speed }) => Math.abs(Math.log(speed.likely / anchor.measured)))
      .sort((a, b) => a - b);
    expect(Math.exp(errors[Math.floor(errors.length / 2)] as number)).toBeLessThan(1.3);
  });

  it("holds nearly as well where the architecture's share follows other families of models only", () => {
    const rated = found.flatMap(({ anchor, speed }) => {
      const read = readHardware(anchor.hardware, "hardware");
      const { likely, low, high } = speed;
      return "device" in read && anchor.at_least !== true
        ? [{ family: familyOf(anchor), ratio: likely / anchor.measured, low: low / likely, high: high / likely, read }]
        : [];
    });
    const held = rated.flatMap((one) => {
      const others = rated
        .filter(({ family, read }) => {
          return family !== one.family && read.device.architecture === one.read.device.architecture;
        })
        .map(({ ratio }) => ratio)
        .sort((a, b) => a - b);
      const correction = others[others.length >> 1];
      return correction === undefined ? [] : [{ ...one, ratio: one.ratio / correction }];
    });
    expect(held.length).toBeGreaterThan(80);
    const errors = held.map(({ ratio }) => Math.abs(Math.log(ratio))).sort((a, b) => a - b);
    expect(Math.exp(errors[errors.length >> 1] as number)).toBeLessThan(1.35);
    const holds = held.filter(({ ratio, low, high }) => ratio * low <= 1 && 1 <= ratio * high);
    expect(holds.length / held.length).toBeGreaterThanOrEqual(0.9);
  });
});

describe("what a speed depends on", () => {
  it("is the same for a base model and its fine-tune of the same size", () => {
    const card = { gpuName: "RTX 3090" };
    const base = throughput("openai/whisper-large-v3-turbo", "automatic-speech-recognition", 809e6, card);
    const tuned = throughput("someone/whisper-german", "automatic-speech-recognition", 809e6, card);
    expect(tuned).toEqual(base);
  });

  it("grows with the device and falls with the model", () => {
    const small = throughput("BAAI/bge-small-en-v1.5", "feature-extraction", 33.4e6, { gpuName: "RTX 3060" });
    const large = throughput("BAAI/bge-large-en-v1.5", "feature-extraction", 335e6, { gpuName: "RTX 3060" });
    const faster = throughput("BAAI/bge-large-en-v1.5", "feature-extraction", 335e6, { gpuName: "RTX 4090" });
    const slower = throughput("BAAI/bge-large-en-v1.5", "feature-extraction", 335e6, { class: "cpu" });
    expect(small.likely).toBeGreaterThan(5 * large.likely);
    expect(faster.likely).toBeGreaterThan(2 * large.likely);
    expect(slower.likely).toBeLessThan(large.likely / 10);
  });

  it("does not read the word embeddings of a multilingual model for each token", () => {
    const card = { gpuName: "RTX 3060" };
    const base = throughput("intfloat/multilingual-e5-base", "feature-extraction", 278e6, card);
    const english = throughput("intfloat/e5-base-v2", "feature-extraction", 109e6, card);
    expect(base.likely).toBeCloseTo(english.likely, 5);
  });

  it("is wider on a kind of device without published speeds", () => {
    const width = (gpuName: string) => {
      const { low, high } = throughput("BAAI/bge-m3", "feature-extraction", 568e6, { gpuName });
      return high / low;
    };
    expect(width("RX 7900 XTX")).toBeGreaterThan(width("RTX 4090"));
  });
});

describe("Jetson Thor", () => {
  // A GB10 has the same memory and the same kind of chip, with about twice the lanes.
  it.each([
    ["BAAI/bge-m3", "feature-extraction", 568e6, "text"],
    ["BAAI/bge-reranker-v2-m3", "text-ranking", 568e6, "text"],
    ["google/vit-base-patch16-224", "image-classification", 86.6e6, "image"],
    ["openai/whisper-large-v3", "automatic-speech-recognition", 1.55e9, "audio_second"],
    ["stabilityai/stable-diffusion-xl-base-1.0", "text-to-image", 2.57e9, "picture"],
    ["Wan-AI/Wan2.1-T2V-1.3B", "text-to-video", 1.3e9, "clip"],
    ["amazon/chronos-bolt-base", "time-series-forecasting", 205e6, "series"],
  ] as const)("has a throughput for %s, at most that of a GB10", (name, task, parameters, unit) => {
    const thor = throughput(name, task, parameters, { gpuName: "Jetson Thor" });
    const larger = throughput(name, task, parameters, { gpuName: "GB10" });
    expect(thor.unit).toBe(unit);
    expect(thor.low).toBeGreaterThan(0);
    expect(thor.likely).toBeLessThanOrEqual(larger.likely);
    expect(thor.likely).toBeGreaterThan(larger.likely / 4);
  });
});

describe("what is not known is absent", () => {
  it.each([
    ["minishlab/potion-base-8M", "feature-extraction", 7.5e6],
    ["facebook/hubert-large-ll60k", "feature-extraction", 316e6],
    ["someone/new-recogniser", "automatic-speech-recognition", 500e6],
    ["UsefulSensors/moonshine-huge", "automatic-speech-recognition", 900e6],
    ["suno/bark", "text-to-speech", 1.1e9],
    ["tencent/HunyuanVideo", "text-to-video", 13e9],
    ["Lightricks/LTX-2", "text-to-video", 19e9],
    ["someone/new-painter", "text-to-image", 5e9],
    ["amazon/chronos-t5-small", "time-series-forecasting", 46e6],
    ["tencent/Hunyuan3D-2", "image-to-3d", 3e9],
    ["Qwen/Qwen3-8B", "text-generation", 8.2e9],
  ])("%s", (name, task, parameters) => {
    expect(estimate(name, task, parameters, { gpuName: "RTX 4090" }).throughput).toBeUndefined();
  });

  it("also where the model does not fit", () => {
    const { fit, throughput: none } = estimate(
      "Wan-AI/Wan2.1-T2V-14B",
      "text-to-video",
      14e9,
      { class: "cpu" },
      "bf16",
    );
    expect(fit).toBe("too-large");
    expect(none).toBeUndefined();
  });
});

describe("basis and words", () => {
  it("says the rule, the operations and the throughput of the device", () => {
    const { basis = [] } = estimate("BAAI/bge-m3", "feature-extraction", 568e6, { gpuName: "RTX 4090" });
    const text = basis.find((sentence) => sentence.startsWith("Speed for one text of 256 tokens"));
    expect(text).toContain("302 M parameters without embeddings");
    expect(text).toContain("TFLOPS");
  });

  it.each([
    [
      { unit: "text", item: "text of 256 tokens", isBatched: true, low: 178.2, likely: 300, high: 493 },
      "180 to 490 texts a second (text of 256 tokens)",
    ],
    [
      { unit: "audio_second", item: "second of audio", isBatched: false, low: 0.42, likely: 0.6, high: 1.26 },
      "0.42 to 1.3 times real time",
    ],
    [
      { unit: "picture", item: "picture of 512 x 512", isBatched: false, low: 0.05, likely: 0.1, high: 0.4 },
      "2.5 to 20 s each (picture of 512 x 512)",
    ],
    [
      { unit: "clip", item: "clip of 81 frames", isBatched: false, low: 0.001, likely: 0.002, high: 0.004 },
      "4.2 to 17 min each (clip of 81 frames)",
    ],
  ] as const)("%o is %s", (speed, words) => {
    expect(throughputText(speed)).toBe(words);
  });
});

describe("models that make pictures and clips", () => {
  const card = { gpuName: "RTX 4090" };

  it.each([
    ["ali-vilab/i2vgen-xl", "image-to-video"],
    ["cerspense/zeroscope_v2_XL", "text-to-video"],
    ["stabilityai/stable-diffusion-3.5-large-turbo", "text-to-image"],
    ["alimama-creative/FLUX.1-Turbo-Alpha", "text-to-image"],
    ["FastVideo/FastWan2.1-T2V-1.3B-Diffusers", "text-to-video"],
    ["lightx2v/Wan2.1-T2V-14B-StepDistill-CfgDistill", "text-to-video"],
  ])("have no estimate if %s is of no known design or takes fewer steps", (name, task) => {
    expect(estimate(name, task, 2e9, card).throughput).toBeUndefined();
  });

  it.each([
    ["stabilityai/sdxl-turbo", "text-to-image", "picture of 512 x 512 in 1 step"],
    ["Tongyi-MAI/Z-Image-Turbo", "text-to-image", "picture of 1024 x 1024 in 9 steps"],
    ["black-forest-labs/FLUX.1-schnell", "text-to-image", "picture of 1024 x 1024 in 4 steps"],
    ["Lykon/dreamshaper-xl", "text-to-image", "picture of 1024 x 1024 in 30 steps"],
  ])("have the steps of %s", (name, task, item) => {
    expect(throughput(name, task, 2e9, card)).toMatchObject({ item, isBatched: false });
  });
});

it("counts the active parameters of an encoder that is a mixture of experts", () => {
  const rate = (activeParameters?: number) => {
    const model = { name: "acme/many-experts", taskTypes: ["sentence-similarity"], parameters: 4e9, activeParameters };
    const result = estimateRequest({ model, quantization: "fp16", hardware: { gpuName: "RTX 4090" } });
    return ("estimate" in result && result.estimate.throughput) || undefined;
  };
  expect(rate(4e8)?.isBatched).toBe(true);
  expect((rate(4e8)?.likely ?? 0) / (rate()?.likely ?? 1)).toBeGreaterThan(5);
});
