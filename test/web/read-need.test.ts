import { expect, test } from "vitest";
import { emptyNeed } from "../../web/src/need/need-draft.ts";
import { readNeed } from "../../web/src/need/read-need.ts";
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

test("reports all texts that a message cannot hold, by the names of the contract", () => {
  const draft = { ...emptyNeed, max_size_gb: "big", top_k: "2.5", min_context_length: "1e99" };
  expect(readNeed(draft)).toEqual({
    violations: [
      { field: "max_size_gb", description: 'is "big"; must be a number of gigabytes' },
      { field: "top_k", description: 'is "2.5"; must be a whole number from 1 to 50' },
      { field: "min_context_length", description: 'is "1e99"; must be a whole number of tokens' },
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
