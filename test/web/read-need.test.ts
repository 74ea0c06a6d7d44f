import { expect, test } from "vitest";
import { emptyMachine, machineLabel } from "../../web/src/machine/machine.ts";
import { emptyNeed } from "../../web/src/need/need-draft.ts";
import { interestRequest, parameterCount, readNeed } from "../../web/src/need/read-need.ts";
import { emptyCalculator } from "../../web/src/state/route.ts";
import { readCalculator } from "../../web/src/views/model/read-calculator.ts";

test("an empty form asks with the service's defaults", () => {
  expect(readNeed({ ...emptyNeed, description: "poems" })).toMatchObject({
    request: { description: "poems", languages: [], ignore: [] },
  });
  const read = readNeed(emptyNeed);
  if (!("request" in read)) {
    throw new Error("an empty form must be sent");
  }
  for (const field of [
    "taskType",
    "maxSizeGb",
    "hardware",
    "license",
    "topK",
    "minContextLength",
    "priority",
    "minParameters",
    "maxParameters",
    "device",
    "minTokensPerSecond",
    "excludeGated",
  ] as const) {
    expect(read.request[field]).toBeUndefined();
  }
});

test("wrong values that can be sent are left to the service", () => {
  const draft = {
    ...emptyNeed,
    max_size_gb: "-1",
    top_k: "99",
    license: "mitt",
    languages: "xx,  yy",
    priority: "size",
  };
  expect(readNeed(draft)).toMatchObject({
    request: { maxSizeGb: -1, topK: 99, license: "mitt", languages: ["xx", "yy"], priority: "size" },
  });
});

test("asks with what the form says of abilities, parameters, speed, consent and a machine", () => {
  const draft = {
    ...emptyNeed,
    capabilities: "tools, vision",
    min_parameters: "500M",
    max_parameters: " 7.5 b",
    min_tokens_per_second: "20",
    exclude_gated: "true",
    device: { ...emptyMachine, gpu: "RTX 3090", gpus: "2" },
  };
  expect(readNeed(draft)).toMatchObject({
    request: {
      capabilities: ["tools", "vision"],
      minParameters: 5e8,
      maxParameters: 7.5e9,
      minTokensPerSecond: 20,
      excludeGated: true,
      device: { gpuName: "RTX 3090", gpuCount: 2 },
    },
  });
  expect(interestRequest({ ...draft, description: "poems" })).toMatchObject({
    interest: { name: "poems", capabilities: ["tools", "vision"], device: { gpuName: "RTX 3090" } },
  });
});

test.each([
  ["7B", 7e9],
  ["500m", 5e8],
  ["1.5 k", 1_500],
  ["2T", 2e12],
  ["7e9", 7e9],
  ["-1", -1],
  ["", undefined],
  ["B", undefined],
  ["many", undefined],
  ["1e999", undefined],
])("reads %j as a number of parameters: %j", (text, count) => {
  expect(parameterCount(text)).toBe(count);
});

test("reports all texts that a message cannot hold, by the names of the contract", () => {
  const draft = { ...emptyNeed, max_size_gb: "big", top_k: "2.5", min_context_length: "1e99", min_parameters: "big" };
  expect(readNeed(draft)).toEqual({
    violations: [
      { field: "max_size_gb", description: 'is "big"; must be a number of gigabytes' },
      { field: "top_k", description: 'is "2.5"; must be a whole number from 1 to 50' },
      { field: "min_context_length", description: 'is "1e99"; must be a whole number of tokens' },
      { field: "min_parameters", description: 'is "big"; must be a number of parameters, such as 7B or 500M' },
    ],
  });
});

test("the calculator sends what is filled in", () => {
  const draft = { ...emptyCalculator, gpu: " RTX 4070 ", gpus: "2", context: "16384" };
  expect(readCalculator("a/b", draft)).toMatchObject({
    request: { modelName: "a/b", contextLength: 16384, hardware: { gpuName: "RTX 4070", gpuCount: 2 } },
  });
  expect(readCalculator("a/b", { ...draft, memory: "lots", gpus: "1.5" })).toEqual({
    violations: [
      { field: "gpu_count", description: 'is "1.5"; must be a whole number' },
      { field: "memory_gb", description: 'is "lots"; must be a number' },
    ],
  });
});

test.each([
  [{ gpu: "RTX 3060" }, "RTX 3060"],
  [{ gpu: "RTX 3090", gpus: "2" }, "2 × RTX 3090"],
  [{ gpu: "RTX 3060", memory: "8" }, "RTX 3060, 8 GB"],
  [{ memory: "48", bandwidth: "900" }, "card, 48 GB"],
  [{ cpu: "Ryzen 7 7700", system_memory: "64" }, "Ryzen 7 7700, 64 GB of memory"],
  [{ class: "gpu-8gb" }, "8 GB graphics card"],
  [{}, ""],
])("names a machine: %j is %j", (machine, label) => {
  expect(machineLabel({ ...emptyMachine, ...machine })).toBe(label);
});
