import { expect, it } from "vitest";
import { didYouMean } from "../../src/text/index.ts";

it("suggests the nearest name, and nothing if no name is similar", () => {
  const names = ["huggingface", "localai", "ollama"];
  expect(didYouMean("huggingfce", names)).toBe("; did you mean huggingface?");
  expect(didYouMean("olama", names, { isListed: true })).toBe(" (did you mean ollama?)");
  expect(didYouMean("LOCALAI", names, { show: (name) => `--${name}` })).toBe("; did you mean --localai?");
  expect(didYouMean("gpu", ["cpu", "gpu-8gb", "gpu-24gb"])).toBe("; did you mean gpu-8gb?");
  expect(didYouMean("zzzzzzzz", names)).toBe("");
});
