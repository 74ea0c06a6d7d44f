import type { Board, BoardPurpose } from "../board.ts";

type Benchmark = readonly [
  id: string,
  dataset: string,
  task: string | undefined,
  name: string,
  measures: string,
  purposes: readonly BoardPurpose[],
  license: string,
];

/**
 * Data sets of the Hub that are registered as benchmarks (`benchmark:official`), whose results the repositories of
 * models hold. Read live only. The licence is that of the data set.
 */
const benchmarks: readonly Benchmark[] = [
  [
    "hub-gpqa-diamond",
    "Idavidrein/gpqa",
    "diamond",
    "GPQA Diamond results",
    "hard questions of science",
    ["science", "knowledge"],
    "CC-BY-4.0",
  ],
  [
    "hub-hle",
    "cais/hle",
    undefined,
    "results on Humanity's Last Exam",
    "questions at the limit of human knowledge",
    ["knowledge", "science"],
    "MIT",
  ],
  [
    "hub-mmlu-pro",
    "TIGER-Lab/MMLU-Pro",
    undefined,
    "MMLU-Pro results",
    "knowledge of 14 subjects",
    ["knowledge"],
    "MIT",
  ],
  [
    "hub-gsm8k",
    "openai/gsm8k",
    undefined,
    "GSM8K results",
    "word problems of school mathematics",
    ["mathematics"],
    "MIT",
  ],
  [
    "hub-aime-2026",
    "MathArena/aime_2026",
    undefined,
    "AIME 2026 results",
    "competition mathematics",
    ["mathematics"],
    "CC-BY-SA-4.0",
  ],
];

/** Benchmarks of the Hub without a leaderboard of their own elsewhere. */
export const hubBenchmarks: readonly Board[] = benchmarks.map(
  ([id, dataset, task, name, measures, purposes, license]) => ({
    id,
    collection: "hub",
    name,
    measures,
    tasks: ["text-generation", "image-text-to-text", "any-to-any"],
    purposes,
    languages: ["en"],
    metric: "accuracy in %",
    higherIsBetter: true,
    range: [0, 100],
    words: "{} % right",
    decimals: 1,
    aspect: "quality",
    license,
    attribution: `${dataset}, results on the Hugging Face Hub`,
    url: `https://huggingface.co/datasets/${dataset}`,
    hubDataset: { id: dataset, ...(task !== undefined && { task }) },
  }),
);
