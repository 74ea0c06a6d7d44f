import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundleOf, noticeOf, readBoards, readSources } from "../../scripts/build-evaluations.ts";
import { bundledEvaluations, bundledFile, bundledKeys } from "../../src/evaluations/bundled.ts";
import { evaluationsSchema } from "../../src/evaluations/evaluation.ts";
import { boardFiles } from "../../src/evaluations/forms/board-files.ts";
import { placeModels } from "../../src/evaluations/forms/place-models.ts";
import { boardOf, openLicenses } from "../../src/evaluations/registry.ts";
import { standingsOf } from "../../src/evaluations/standing.ts";
import { testHome } from "../inventory/support/test-database.ts";

describe("The bundled figures", () => {
  it("are valid, of known boards, by keys in lower case, and fit into the package", () => {
    const keys = bundledKeys();
    expect(keys.length).toBeGreaterThan(2_000);
    expect(keys.filter((key) => key !== key.toLowerCase() || key.split("/").length !== 2)).toEqual([]);
    const wrong = keys.filter((key) => !evaluationsSchema.safeParse(bundledEvaluations(key)).success);
    expect(wrong).toEqual([]);
    expect(readFileSync(bundledFile).length).toBeLessThan(1_000_000);
  });

  it("have the published places and values of well-known models", () => {
    const figureOf = (key: string, board: string) => bundledEvaluations(key).find((each) => each.board === board);
    expect(figureOf("coherelabs/cohere-transcribe-03-2026", "open-asr-en-shortform")).toEqual({
      board: "open-asr-en-shortform",
      value: 5.42,
      place: 1,
      of: 87,
      as_of: "2026-03-26",
      evidence: "measured",
    });
    expect(figureOf("qwen/qwen3-embedding-8b", "mteb-eng-v2")).toMatchObject({ value: 75.25, of: 196 });
    expect(figureOf("microsoft/phi-4", "vectara-hhem")).toMatchObject({ value: 3.7, place: 3, of: 96 });
    expect(figureOf("openai/whisper-large-v3", "open-asr-en-shortform-speed")).toMatchObject({ value: 145.51 });
    expect(bundledEvaluations("acme/unknown")).toEqual([]);
  });

  it("have the speeds of models that are no language models, each with its device and its own day", () => {
    const speedsOf = (key: string) =>
      standingsOf(bundledEvaluations(key)).flatMap(({ facts, value, as_of }) =>
        facts.aspect === "speed" ? [[facts.device, value, as_of]] : [],
      );
    expect(speedsOf("timm/mobilenetv3_small_100.lamb_in1k")).toEqual([
      ["NVIDIA GeForce RTX 3090", 39045.83, "2024-09-04"],
      ["Intel Core i7-12700H", 374.07, "2024-09-04"],
    ]);
    expect(speedsOf("openai/whisper-large-v3")).toEqual(
      expect.arrayContaining([["NVIDIA A100-SXM4-80GB", 145.51, "2026-03-26"]]),
    );
  });

  it("come with a NOTICE of each source, under an open licence, and without the forbidden boards", () => {
    const sources = readSources();
    const notice = readFileSync(new URL("./NOTICE.md", bundledFile), "utf8");
    expect(notice, "made by scripts/build-evaluations.ts").toBe(noticeOf(sources));
    expect(new Set(boardFiles.map(({ publisher }) => publisher))).toEqual(new Set(Object.keys(sources)));
    for (const { license, repository, commit } of Object.values(sources)) {
      expect(openLicenses).toContain(license);
      expect(notice).toContain(`${repository}, commit ${commit}`);
    }
    const boards = new Set(bundledKeys().flatMap((key) => bundledEvaluations(key).map(({ board }) => board)));
    expect([...boards].filter((board) => boardOf(board) === undefined)).toEqual([]);
    expect([...boards].filter((board) => /lmarena|hub-|analysis|livebench|open-llm/.test(board))).toEqual([]);
  });
});

describe("Making the bundled file", () => {
  it("reports everything that is wrong with the folder, and makes nothing", () => {
    const folder = testHome();
    const files: Record<string, string> = {
      "open-asr-en_shortform.csv": "model,WER\nacme/one,5\n",
      "bfcl-v4-overall.csv": "Model,Model Link,Overall Acc\nacme,https://huggingface.co/a/b,540%\n",
      "vectara-hallucination.md": "|Model|Hallucination Rate|\n|--|--|\n|A/b|1 %|\n|a/B|2 %|\n",
      "gift-eval.json": '[{"model": "x"}]',
    };
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    expect(() => readBoards(folder)).toThrow(/^Nothing is written:\n/);
    for (const problem of [
      'open-asr-en_shortform.csv has no column "Avg. WER", "RTFx"; its columns are ["model","WER"]',
      "bfcl-v4-overall.csv has 540 for acme, which is outside 0 to 100",
      "vectara-hallucination.md has A/b and a/B, which differ in letter case alone",
      "gift-eval.json does not have the expected form, at 0.hugging_face",
      "mteb-main-scores.jsonl is missing",
      "euroeval/german_all_simplified.csv is missing",
    ]) {
      expect(() => readBoards(folder)).toThrow(problem);
    }
  });

  it("refuses the figures of a source whose licence does not allow them", () => {
    const sources = readSources();
    const forbidding = { ...sources, bfcl: { ...(sources.bfcl as (typeof sources)[string]), license: "CC-BY-NC-4.0" } };
    expect(() => readBoards(testHome(), forbidding)).toThrow(
      "bfcl-v4-overall.csv is under CC-BY-NC-4.0, which does not allow figures to be kept and shown; leave it out",
    );
  });

  it("writes a day, an evidence and an address only where they differ from the board's", () => {
    const lines = [
      { system: "a", model: "Acme/A", value: 3 },
      { system: "b", model: "acme/b", value: 2 },
      {
        system: "c",
        model: "acme/c",
        value: 1,
        as_of: "2025-05-05",
        evidence: "claimed" as const,
        url: "https://x.example/",
      },
    ];
    const { text, models, figures } = bundleOf([placeModels("bfcl-v4", lines, { asOf: "2026-01-02" })]);
    expect([models, figures]).toEqual([3, 3]);
    expect(
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { boards: [{ id: "bfcl-v4", of: 3, as_of: "2026-01-02" }] },
      ["acme/a", [[0, 3, 1]]],
      ["acme/b", [[0, 2, 2]]],
      ["acme/c", [[0, 1, 3, { as_of: "2025-05-05", evidence: "claimed", url: "https://x.example/" }]]],
    ]);
  });
});
