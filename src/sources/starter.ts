import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { effectiveBits } from "../hardware/index.ts";
import type { SourceRecord } from "../inventory/index.ts";
import { publishedQuantization } from "./huggingface/record.ts";

/** The folder of the starter catalogue: one file a task type, in the import format. */
export const starterFolder: string = fileURLToPath(new URL("./starter/", import.meta.url));

/** How many models the catalogue has. A test checks the number. */
export const STARTER_MODELS = 4078;

/** When the catalogue's facts were gathered. */
export const STARTER_GATHERED_AT: number = Date.UTC(2026, 5, 20);

/**
 * The models that come with modelscout, so that a new installation has an inventory without a network. The lines are
 * not checked again, which would slow the first start: a test holds them to the import format.
 */
export async function* starterRecords(): AsyncGenerator<SourceRecord> {
  for (const file of readdirSync(starterFolder).sort()) {
    const text = await readFile(join(starterFolder, file), "utf8");
    for (const line of text.trimEnd().split("\n")) {
      yield JSON.parse(line) as SourceRecord;
    }
  }
}

/** The facts of a model of the starter catalogue; undefined for others. Letter case is ignored. */
export async function starterRecordOf(name: string): Promise<SourceRecord | undefined> {
  for await (const record of starterRecords()) {
    if (record.name.toLowerCase() === name.toLowerCase()) {
      return record;
    }
  }
  return undefined;
}

/** What is wrong with a model of the starter catalogue. */
export interface StarterProblem {
  name: string;
  problem: string;
}

/** How far a size may be from parameters x bits per weight: embeddings and heads often keep a higher precision. */
const TOLERANCE = 0.25;
/** The origin of sizes that do not follow from one precision starts with these words. */
const MIXED = "mixed precision";
/** The origin of sizes of a pipeline whose GGUF files lack its text encoder and its image decoder ends with these words. */
const TRANSFORMER_ONLY = "the GGUF files have only the transformer";
/** The least share of a pipeline's parameters that its transformer has. */
const LEAST_TRANSFORMER = 0.3;
/** How far the size of a variant may be from the size that the named repository's own record gives. */
const REPOSITORY_TOLERANCE = 0.05;
/** Bits per weight of mixed weights: between the lowest and the highest precision that is published. */
const MIXED_BITS = { least: 1.5, most: 32 };

/**
 * What is wrong with the precisions and sizes of a record; empty when nothing is. Sizes must follow from parameters and
 * precision, unless `facts_from.variants` says that the weights have mixed precision. A precision in the name must be
 * that of the repository's own weights.
 */
export function sizeProblems(record: SourceRecord): string[] {
  const { name, parameters, size_gb: size, variants = [], facts_from: from = {} } = record;
  const problems: string[] = [];
  if (size !== undefined && variants.length > 0 && !variants.some((variant) => variant.size_gb === size)) {
    problems.push(`size_gb: no variant has ${size} GB`);
  }
  const named = publishedQuantization(name, [])?.label;
  for (const { quantization, format, size_gb: sizeGb, repository, unpublished } of variants) {
    const at = `variants ${quantization}`;
    if (unpublished && repository !== undefined) {
      problems.push(`${at}: unpublished, but ${repository} is named as its repository`);
    }
    if (
      named !== undefined &&
      repository === undefined &&
      format !== "gguf" &&
      isOff(bits(quantization), bits(named))
    ) {
      problems.push(`${at}: the name says ${named}`);
    }
    if (sizeGb === undefined || parameters === undefined) {
      continue;
    }
    const perWeight = (sizeGb * 8e9) / parameters;
    const isPart = format === "gguf" && from.variants?.endsWith(TRANSFORMER_ONLY) === true;
    if (from.variants?.startsWith(MIXED)) {
      if (perWeight < MIXED_BITS.least || perWeight > MIXED_BITS.most) {
        problems.push(
          `${at}: ${sizeGb} GB are ${perWeight.toFixed(1)} bits for each parameter; must be ${MIXED_BITS.least} to ${MIXED_BITS.most}`,
        );
      }
    } else if (isPart && perWeight < bits(quantization)) {
      if (perWeight < LEAST_TRANSFORMER * bits(quantization)) {
        problems.push(`${at}: ${sizeGb} GB are too few for the transformer`);
      }
    } else if (isOff(perWeight, bits(quantization))) {
      const expected = (parameters * bits(quantization)) / 8e9;
      problems.push(`${at}: has ${sizeGb} GB, but its parameters take ${expected.toPrecision(3)} GB`);
    }
  }
  return problems;
}

/**
 * Where the sizes of a record's variants differ from those that the records of the repositories state, which publish
 * them; empty when none does.
 *
 * @param records by name in lower case
 */
export function repositoryProblems(record: SourceRecord, records: ReadonlyMap<string, SourceRecord>): string[] {
  return (record.variants ?? []).flatMap(({ quantization, format, size_gb: size, repository }) => {
    const own = records
      .get(repository?.toLowerCase() ?? "")
      ?.variants?.find((v) => v.quantization === quantization && v.format === format && v.repository === undefined);
    if (size === undefined || own?.size_gb === undefined || Math.abs(size / own.size_gb - 1) <= REPOSITORY_TOLERANCE) {
      return [];
    }
    return [`variants ${quantization}: has ${size} GB, but the record of ${repository} says ${own.size_gb} GB`];
  });
}

function bits(quantization: string): number {
  return effectiveBits(quantization).bits;
}

function isOff(value: number, expected: number): boolean {
  return Math.abs(value / expected - 1) > TOLERANCE;
}

/** Checks precisions and sizes of all models of the starter catalogue. */
export async function checkStarter(): Promise<{ models: number; problems: StarterProblem[] }> {
  const records = new Map<string, SourceRecord>();
  for await (const record of starterRecords()) {
    records.set(record.name.toLowerCase(), record);
  }
  const problems = [...records.values()].flatMap((record) =>
    [...sizeProblems(record), ...repositoryProblems(record, records)].map((problem) => ({
      name: record.name,
      problem,
    })),
  );
  return { models: records.size, problems };
}
