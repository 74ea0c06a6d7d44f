import { expect, it } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { faultsOf } from "./support/faults-of.ts";

const MODELSCOUT_LLM_MODEL = "gemma3:4b";

it.each([
  "http://127.0.0.1:11434/v1",
  "http://[::1]:8000/v1",
  "http://10.1.2.3/v1",
  "http://192.168.0.20:8080",
  "http://172.20.0.5/v1",
  "http://[fd12::1]/v1",
  "http://localhost:11434/v1",
  "http://ollama:11434/v1",
  "https://llm.example.com/v1?version=2",
  "https://203.0.113.7/v1",
])("%s may read needs", (url) => {
  const { config, warnings } = readConfig({ MODELSCOUT_LLM_URL: ` ${url} `, MODELSCOUT_LLM_MODEL });
  expect(config.languageModel).toEqual({
    url,
    model: MODELSCOUT_LLM_MODEL,
    key: undefined,
    timeoutMs: 3_000,
    concurrency: 4,
  });
  expect(warnings).toEqual([]);
});

it.each([
  "http://203.0.113.7/v1",
  "http://8.8.8.8",
  "http://134744072/v1",
  "http://[2001:4860:4860::8888]/v1",
  "http://[::ffff:8.8.8.8]/v1",
  "http://0.0.0.0:11434/v1",
  // The metadata of clouds, which is link-local.
  "http://169.254.169.254/v1",
  "http://[fe80::1]/v1",
])("%s may not, because it would go over http beyond private networks", (url) => {
  expect(faultsOf({ MODELSCOUT_LLM_URL: url, MODELSCOUT_LLM_MODEL })).toEqual([
    `MODELSCOUT_LLM_URL=${JSON.stringify(url)}: must be an https URL, because http is allowed only for loopback and private addresses`,
  ]);
});

it("reports all faults at once, and no secrets", () => {
  const faults = faultsOf({
    MODELSCOUT_LLM_URL: "ftp://me:secret@example.com",
    MODELSCOUT_LLM_MODEL: "a\nb",
    MODELSCOUT_LLM_KEY: "sk-secret with blanks",
    MODELSCOUT_LLM_TIMEOUT_MS: "50",
    MODELSCOUT_LLM_CONCURRENCY: "0",
  });
  expect(faults.map((fault) => fault.split(/[=:]/)[0]).sort()).toEqual([
    "MODELSCOUT_LLM_CONCURRENCY",
    "MODELSCOUT_LLM_KEY",
    "MODELSCOUT_LLM_MODEL",
    "MODELSCOUT_LLM_TIMEOUT_MS",
    "MODELSCOUT_LLM_URL",
  ]);
  expect(faults.join("\n")).not.toContain("secret");
});

it("is off without settings, and says which one is missing", () => {
  expect(readConfig({}).config.languageModel).toBeUndefined();
  expect(faultsOf({ MODELSCOUT_LLM_MODEL })).toEqual([
    "MODELSCOUT_LLM_URL: must be set if MODELSCOUT_LLM_MODEL is set, for example to http://127.0.0.1:11434/v1",
  ]);
  expect(faultsOf({ MODELSCOUT_LLM_KEY: "sk-1" })).toEqual([
    "MODELSCOUT_LLM_URL: must be set if MODELSCOUT_LLM_KEY is set, for example to http://127.0.0.1:11434/v1",
  ]);
  expect(faultsOf({ MODELSCOUT_LLM_URL: "http://127.0.0.1:11434/v1" })).toEqual([
    "MODELSCOUT_LLM_MODEL: must be set if MODELSCOUT_LLM_URL is set; it is the model's name on that server, such as gemma3:4b",
  ]);
  const { warnings } = readConfig({ MODELSCOUT_LLM_MODLE: "x" });
  expect(warnings.join()).toContain("did you mean MODELSCOUT_LLM_MODEL");
});
