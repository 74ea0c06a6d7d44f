import { expect, it } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { faultsOf } from "./support/faults-of.ts";

it.each<[string, string, string[]]>([
  ["0 3 * * * huggingface localai", "0 3 * * *", ["huggingface", "localai"]],
  ["  */10  *  * * *   ollama ", "*/10 * * * *", ["ollama"]],
  ["30 0 3 * * * huggingface", "30 0 3 * * *", ["huggingface"]],
  ["0 3 * jan-mar MON,FRI localai", "0 3 * jan-mar MON,FRI", ["localai"]],
  ["@daily ollama huggingface ollama", "@daily", ["huggingface", "ollama"]],
])("MODELSCOUT_SYNC=%j is a schedule", (value, cron, sources) => {
  expect(readConfig({ MODELSCOUT_SYNC: value }).config.sync).toEqual({ cron, sources });
});

it.each(["", "  ", "off"])("MODELSCOUT_SYNC=%j is no schedule", (value) => {
  expect(readConfig({ MODELSCOUT_SYNC: value })).toMatchObject({ config: { sync: undefined }, warnings: [] });
});

it.each<[string, RegExp]>([
  ["0 3 * * *", /; it has no source$/],
  ["huggingface", /; it has no cron expression$/],
  ["0 3 * * * huggingfce", /; there is no source huggingfce; did you mean huggingface\?$/],
  ["61 * * * * ollama", /; CronPattern: Invalid value for minute: 61$/],
  ["* * * * ollama", /exactly five, six, or seven/],
  ["0 0 30 2 * ollama", /; "0 0 30 2 \*" never occurs$/],
])("MODELSCOUT_SYNC=%j is a fault", (value, message) => {
  const [fault, ...others] = faultsOf({ MODELSCOUT_SYNC: value });
  expect(others).toEqual([]);
  expect(fault).toContain(`MODELSCOUT_SYNC=${JSON.stringify(value)}: must be a cron expression and sources`);
  expect(fault).toMatch(message);
});

it("reports all faults of the sources' addresses at once, and no secrets", () => {
  const faults = faultsOf({
    MODELSCOUT_HUB_URL: "huggingface.co",
    HF_TOKEN: "hf_secret\nX-Header: 1",
    MODELSCOUT_OLLAMA_URL: "http://user:secret@ollama:11434",
    MODELSCOUT_LOCALAI_URL: "s3://bucket/index.yaml",
    MODELSCOUT_SYNC: "now",
  });
  expect(faults.map((fault) => fault.split("=")[0])).toEqual([
    "MODELSCOUT_HUB_URL",
    "HF_TOKEN",
    "MODELSCOUT_OLLAMA_URL",
    "MODELSCOUT_LOCALAI_URL",
    "MODELSCOUT_SYNC",
  ]);
  expect(faults.join("\n")).not.toContain("secret");
});

it("accepts a file as LocalAI's index", () => {
  const { config } = readConfig({ MODELSCOUT_LOCALAI_URL: "./gallery/index.yaml.gz", HF_TOKEN: "hf_abc" });
  expect(config).toMatchObject({ localAiUrl: "./gallery/index.yaml.gz", hubToken: "hf_abc", hubUrl: undefined });
});

it("accepts addresses of leaderboards' publishers, and reports all faults of them", () => {
  const value = "timm=https://example.com/timm/  lmarena=off";
  expect(readConfig({ MODELSCOUT_BOARD_URLS: value }).config.boardUrls).toEqual({
    timm: "https://example.com/timm/",
    lmarena: "off",
  });
  expect(readConfig({}).config.boardUrls).toEqual({});
  const [fault, ...others] = faultsOf({ MODELSCOUT_BOARD_URLS: "tim=off bfcl vectara=https://me:secret@example.com" });
  expect(others).toEqual([]);
  expect(fault).toMatch(
    /there is no publisher tim; did you mean timm\?; the value of bfcl is neither off nor an http or https URL without a user; the value of vectara is neither/,
  );
  expect(fault).not.toContain("secret");
});
