import type { SourceRecord } from "../../../src/inventory/facts/record.ts";

/** Models in a round. */
export const PAGE = 25;
const MODELS = 150;

/** The records of the hub in a round: most of its models, changed since the last round. */
export function hubRecords(round: number): SourceRecord[] {
  return Array.from({ length: MODELS }, (_, i) => i)
    .filter((i) => (i + round) % 5 !== 0)
    .map((i) => ({
      name: `hub/model-${i}`,
      task_types: ["text-generation"],
      downloads: round * 1_000 + i,
      // Every third text changes in each round, and is encoded again.
      description: `Writes ${i % 3 === 0 ? `what round ${round} brings` : "letters"} to number ${i}.`,
    }));
}

/** The records of a file in a round: some models of the hub, and pages of its own, each complete. */
export function shelfRecords(round: number): SourceRecord[] {
  const both = Array.from({ length: PAGE }, (_, i) => ({ name: `hub/model-${i * 3}`, license: "mit" }));
  const own = Array.from({ length: PAGE }, (_, i) => ({ name: `shelf-${round}/model-${i}`, context_length: 4096 }));
  return [...both, ...own];
}
