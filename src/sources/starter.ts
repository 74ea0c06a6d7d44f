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
export const STARTER_MODELS = 4018;

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

/** What is wrong with a model of the starter catalogue. */
export interface StarterProblem {
  name: string;
  problem: string;
}

/** How far a size may be from parameters x bits per weight: embeddings and heads often keep a higher precision. */
const TOLERANCE = 0.25;
/** The origin of sizes that do not follow from one precision starts with these words. */
const MIXED = "mixed precision";
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
    if (from.variants?.startsWith(MIXED)) {
      if (perWeight < MIXED_BITS.least || perWeight > MIXED_BITS.most) {
        problems.push(
          `${at}: ${sizeGb} GB are ${perWeight.toFixed(1)} bits for each parameter; must be ${MIXED_BITS.least} to ${MIXED_BITS.most}`,
        );
      }
    } else if (isOff(perWeight, bits(quantization))) {
      const expected = (parameters * bits(quantization)) / 8e9;
      problems.push(`${at}: has ${sizeGb} GB, but its parameters take ${expected.toPrecision(3)} GB`);
    }
  }
  return problems;
}

function bits(quantization: string): number {
  return effectiveBits(quantization).bits;
}

function isOff(value: number, expected: number): boolean {
  return Math.abs(value / expected - 1) > TOLERANCE;
}

/** Checks precisions and sizes of all models of the starter catalogue. */
export async function checkStarter(): Promise<{ models: number; problems: StarterProblem[] }> {
  const problems: StarterProblem[] = [];
  let models = 0;
  for await (const record of starterRecords()) {
    models++;
    problems.push(...sizeProblems(record).map((problem) => ({ name: record.name, problem })));
  }
  return { models, problems };
}
