import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Card } from "../../src/catalogue/card.ts";
import { shippedFiles } from "../../src/catalogue/index.ts";
import { isLanguageCode } from "../../src/inventory/facts/languages.ts";
import { normalise } from "../../src/inventory/facts/normalise.ts";
import { parseRecord, type SourceRecord } from "../../src/inventory/facts/record.ts";
import { knownLabels, type TaskType, taskTypes } from "../../src/inventory/facts/task-types.ts";
import { licenseFacts } from "../../src/inventory/licenses/licenses.ts";
import { declaredLicense, normaliseLicense } from "../../src/inventory/licenses/read-license.ts";
import {
  checkStarter,
  repositoryProblems,
  STARTER_GATHERED_AT,
  STARTER_MODELS,
  sizeProblems,
  starterRecords,
} from "../../src/sources/starter.ts";
import { fixturePath, hubFactsOfStarter, hubModels, namesFoundElsewhere } from "../support/fixtures.ts";

const records: SourceRecord[] = [];
for await (const record of starterRecords()) {
  records.push(record);
}
const models = records.map((record) => normalise(record, { source: "huggingface", seenAt: STARTER_GATHERED_AT }));

/** The names of the records with a fault. */
function withFault(hasFault: (record: SourceRecord) => boolean): string[] {
  return records.filter(hasFault).map(({ name }) => name);
}

describe("The starter catalogue", () => {
  it("has the documented number of models, each once", () => {
    expect(records).toHaveLength(STARTER_MODELS);
    expect(new Set(records.map(({ name }) => name.toLowerCase())).size).toBe(records.length);
    expect(records.length).toBeGreaterThanOrEqual(400);
  });

  it("lists DeepSeek-V4 with the formats and the sizes of its files, not as bf16", () => {
    const sizes = { "deepseek-ai/DeepSeek-V4-Flash": 160, "deepseek-ai/DeepSeek-V4-Pro": 865 };
    for (const [name, sizeGb] of Object.entries(sizes)) {
      const model = models.find((each) => each.name === name);
      const own = model?.variants.filter(({ repository = name }) => repository === name);
      expect(own).toContainEqual(expect.objectContaining({ quantization: "MXFP4 and FP8", sizeGb }));
      expect(own?.map(({ quantization }) => quantization)).not.toContain("bf16");
    }
  });

  it("is in the import format", () => {
    for (const record of records) {
      expect(parseRecord(record)).toEqual({ record });
    }
  });

  const least: Record<TaskType, number> = {
    "text-gen": 90,
    "image-gen": 20,
    code: 30,
    embed: 40,
    classify: 20,
    vision: 40,
    audio: 40,
    multimodal: 20,
    other: 20,
  };
  it.each(taskTypes)("has enough models of type %s", (type) => {
    expect(models.filter(({ types }) => types.includes(type)).length).toBeGreaterThanOrEqual(least[type]);
  });

  it("spans at least 40 families, all sizes and all kinds of licence", () => {
    expect(new Set(models.map(({ family }) => family)).size).toBeGreaterThanOrEqual(40);
    const parameters = models.flatMap((model) => model.parameters ?? []);
    for (const [from, to] of [
      [0, 1e8],
      [1e8, 1e9],
      [1e9, 1e10],
      [1e10, 1e11],
      [1e11, 1e13],
    ] as const) {
      expect({ from, models: parameters.filter((n) => n >= from && n < to).length >= 20 }).toEqual({
        from,
        models: true,
      });
    }
    const classes = new Set(models.map(({ license }) => licenseFacts(license)?.class));
    for (const kind of ["permissive", "open", "commercial", "non-commercial"] as const) {
      expect(classes).toContain(kind);
    }
    expect(records.filter((record) => record.active_parameters !== undefined).length).toBeGreaterThanOrEqual(20);
  });

  it("has labels, languages and licences that the tables know", () => {
    expect(
      withFault(
        ({ task_types: labels = [] }) => labels.length === 0 || !labels.every((label) => knownLabels.includes(label)),
      ),
    ).toEqual([]);
    expect(withFault(({ languages = [] }) => !languages.every(isLanguageCode))).toEqual([]);
    expect(withFault(({ license }) => license !== undefined && normaliseLicense(license) !== license)).toEqual([]);
    const unknown = models.filter(({ license }) => license !== undefined && licenseFacts(license) === undefined);
    expect(unknown.length).toBeLessThan(0.05 * models.length);
  });

  it("describes the use of each model in one or two sentences of its own", () => {
    expect(
      withFault(
        ({ description = "" }) =>
          sentences(description) < 1 || sentences(description) > 2 || !/[.!?]$/.test(description),
      ),
    ).toEqual([]);
    const words = (text = "") => text.split(/\s+/).length;
    expect(withFault(({ description }) => words(description) < 8 || words(description) > 70)).toEqual([]);
    expect(new Set(records.map(({ description }) => description)).size).toBe(records.length);
  });

  it("has the sources of each line's facts, and marks computed sizes", () => {
    expect(withFault(({ facts_from: from = {} }) => Object.keys(from).length === 0)).toEqual([]);
    expect(
      withFault(({ size_gb: size, facts_from: from = {} }) => size !== undefined && from.size_gb === undefined),
    ).toEqual([]);
    expect(
      withFault(
        ({ variants = [], facts_from: from = {} }) =>
          variants.some((v) => v.size_gb !== undefined) && from.variants === undefined,
      ),
    ).toEqual([]);
    expect(
      withFault((record) => Object.keys(record.facts_from ?? {}).some((field) => !Object.hasOwn(record, field))),
    ).toEqual([]);
  });

  it("has sizes that match the parameters", async () => {
    expect((await checkStarter()).problems).toEqual([]);
    expect(
      withFault(({ parameters, active_parameters: active }) => active !== undefined && !(active < (parameters ?? 0))),
    ).toEqual([]);
  });

  describe("compared with the catalogue", () => {
    const lines = shippedFiles().flatMap(({ text }) => text.trimEnd().split("\n"));
    const cards = new Map(lines.map((line) => JSON.parse(line) as Card).map((card) => [card.name.toLowerCase(), card]));
    const cardOf = ({ name }: SourceRecord) => cards.get(name.toLowerCase());

    it("has the licences that it states where a source has none or a wrong one", () => {
      const differing = withFault((record) => {
        const stated = cardOf(record)?.license ?? "other";
        return stated !== "other" && record.license !== stated;
      });
      expect(differing).toEqual([]);
    });

    it("has the parameters that it states, except for adapters, which state those of the model that they change", () => {
      const differing = withFault((record) => {
        const stated = cardOf(record)?.parameters;
        return (
          stated !== undefined &&
          record.library !== "peft" &&
          !(Math.abs((record.parameters ?? 0) / stated - 1) <= 0.05)
        );
      });
      expect(differing).toEqual([]);
    });

    it("has a licence for each repackaging whose original has one", () => {
      const licenses = new Map(records.map(({ name, license }) => [name.toLowerCase(), license]));
      const without = withFault((record) => {
        const card = cardOf(record);
        const original = licenses.get(card?.weights_of?.toLowerCase() ?? "") ?? "other";
        return record.license === undefined && card?.license === undefined && original !== "other";
      });
      expect(without).toEqual([]);
    });
  });

  it("was not gathered before its facts", () => {
    expect(
      withFault(({ updated_at: at }) => at !== undefined && Date.parse(at) > STARTER_GATHERED_AT + 86_400_000),
    ).toEqual([]);
  });
});

describe("The size of a model", () => {
  const record: SourceRecord = {
    name: "acme/chat-8b-FP8",
    parameters: 8e9,
    size_gb: 8.4,
    variants: [{ quantization: "fp8", format: "safetensors", size_gb: 8.4 }],
  };
  const sixteenBits = [{ quantization: "bf16", format: "safetensors", size_gb: 16 }];

  it("follows from parameters and precision", () => {
    expect(sizeProblems(record)).toEqual([]);
    expect(sizeProblems({ ...record, parameters: 4e9 })).toEqual([
      "variants fp8: has 8.4 GB, but its parameters take 4.34 GB",
    ]);
  });

  it("belongs to a variant", () => {
    expect(sizeProblems({ ...record, size_gb: 16 })).toEqual(["size_gb: no variant has 16 GB"]);
  });

  it("has the precision that the name states, except in files of other formats and repositories", () => {
    expect(sizeProblems({ ...record, size_gb: 16, variants: sixteenBits })).toEqual([
      "variants bf16: the name says fp8",
    ]);
    const elsewhere = sixteenBits.map((variant) => ({ ...variant, repository: "acme/chat-8b" }));
    expect(sizeProblems({ ...record, size_gb: 16, variants: elsewhere })).toEqual([]);
  });

  it("of an unpublished variant belongs to no repository", () => {
    const made = { quantization: "Q8_0", format: "gguf", size_gb: 8.5, unpublished: true };
    const variants = [...(record.variants ?? []), made];
    expect(sizeProblems({ ...record, variants })).toEqual([]);
    const named = variants.map((variant) => ({ ...variant, repository: "acme/chat-8b-GGUF" }));
    expect(sizeProblems({ ...record, variants: named })).toEqual([
      "variants Q8_0: unpublished, but acme/chat-8b-GGUF is named as its repository",
    ]);
  });

  it("of a GGUF file of a pipeline may be that of the transformer only, where the record says so", () => {
    const pipeline: SourceRecord = {
      name: "acme/painter",
      parameters: 16e9,
      variants: [{ quantization: "Q8_0", format: "gguf", size_gb: 9.6, repository: "acme/painter-gguf" }],
    };
    const says = { variants: "sizes computed; the GGUF files have only the transformer" };
    expect(sizeProblems(pipeline)).toEqual(["variants Q8_0: has 9.6 GB, but its parameters take 17.0 GB"]);
    expect(sizeProblems({ ...pipeline, facts_from: says })).toEqual([]);
    expect(sizeProblems({ ...pipeline, parameters: 40e9, facts_from: says })).toEqual([
      "variants Q8_0: 9.6 GB are too few for the transformer",
    ]);
    expect(sizeProblems({ ...pipeline, parameters: 6e9, facts_from: says })).toEqual([
      "variants Q8_0: has 9.6 GB, but its parameters take 6.38 GB",
    ]);
  });

  it("agrees with the record of the repository that publishes the variant", () => {
    const variant = { quantization: "Q8_0", format: "gguf", size_gb: 10 };
    const published: SourceRecord = { name: "acme/Painter-GGUF", variants: [variant] };
    const known = new Map([["acme/painter-gguf", published]]);
    const of = (sizeGb: number): SourceRecord => ({
      name: "acme/painter",
      variants: [{ ...variant, size_gb: sizeGb, repository: "acme/Painter-GGUF" }],
    });
    expect(repositoryProblems(of(10.4), known)).toEqual([]);
    expect(repositoryProblems(of(18), new Map())).toEqual([]);
    expect(repositoryProblems(of(18), known)).toEqual([
      "variants Q8_0: has 18 GB, but the record of acme/Painter-GGUF says 10 GB",
    ]);
  });

  it("may differ within bounds if the weights have mixed precision", () => {
    const mixed = { ...record, parameters: 12e9, facts_from: { variants: "mixed precision: experts in FP4" } };
    expect(sizeProblems(mixed)).toEqual([]);
    expect(sizeProblems({ ...mixed, parameters: 80e9 })).toEqual([
      "variants fp8: 8.4 GB are 0.8 bits for each parameter; must be 1.5 to 32",
    ]);
  });
});

describe("Compared with the facts of the hub and LocalAI, the starter catalogue", () => {
  const hub = new Map(hubFactsOfStarter().map((facts) => [facts.id, facts]));
  const gallery = readFileSync(fixturePath("localai/index.yaml"), "utf8");
  const galleryNames = new Set(
    [...gallery.matchAll(/huggingface\.co\/([\w.-]+\/[\w.-]+)|huggingface:\/\/([\w.-]+\/[\w.-]+)/g)].map(
      ([, a, b]) => a ?? b,
    ),
  );

  it("has every task label of the hub, with three models where the hub has three", () => {
    const byLabel = Map.groupBy(
      hubModels().filter(({ pipeline_tag: tag }) => tag !== undefined),
      ({ pipeline_tag: tag }) => tag as string,
    );
    const missing = [...byLabel].flatMap(([label, there]) => {
      const here = records.filter(({ task_types: labels = [] }) => labels.includes(label)).length;
      const wanted = Math.min(3, there.length);
      return here < Math.max(1, wanted) ? [`${label}: ${here} of ${wanted}`] : [];
    });
    expect(byLabel.size).toBeGreaterThan(30);
    expect(missing).toEqual([]);
  });

  it("has only models that exist", () => {
    const found = new Set(namesFoundElsewhere());
    expect(withFault(({ name }) => !hub.has(name) && !galleryNames.has(name) && !found.has(name))).toEqual([]);
  });

  it("says where the names are from that the hub's listing lacks", () => {
    expect(
      withFault(({ name, facts_from: from = {} }) => !hub.has(name) && !galleryNames.has(name) && !from.name),
    ).toEqual([]);
  });

  it("has the hub's downloads, label and licence if it gives the hub as their source", () => {
    const fromHub = records.filter(({ facts_from: from = {} }) => from.name === undefined);
    const inHub = fromHub.flatMap((record) => hub.get(record.name) ?? []).length;
    expect(inHub).toBeGreaterThan(0.9 * fromHub.length);
    expect(withFault(({ name, downloads }) => hub.has(name) && downloads !== hub.get(name)?.downloads)).toEqual([]);
    expect(
      withFault(({ name, task_types: labels = [], facts_from: from = {} }) => {
        const declared = hub.get(name)?.pipeline_tag;
        return declared !== undefined && from.task_types === undefined && !labels.includes(declared);
      }),
    ).toEqual([]);
    expect(
      withFault(({ name, license, facts_from: from = {} }) => {
        const declared = declaredLicense({ tags: licenseTags(hub.get(name)?.license) });
        return declared !== undefined && declared !== "other" && from.license === undefined && license !== declared;
      }),
    ).toEqual([]);
  });
});

function sentences(text: string): number {
  return text.split(/(?<=[.!?])\s+(?=\p{Lu})/u).filter((part) => part.trim() !== "").length;
}

/** The tags of licences, from identifiers separated by blanks. */
function licenseTags(licenses: string | undefined): string[] {
  return licenses === undefined ? [] : licenses.split(" ").map((id) => `license:${id}`);
}
