import type { SourceRecord } from "../../../src/inventory/facts/record.ts";

const tasks = ["text-generation", "image-classification", "automatic-speech-recognition", "translation"];

/** Records of made-up models, `acme/m-<from>` and so on, all different. */
export function manyRecords(count: number, from = 0, more: Partial<SourceRecord> = {}): SourceRecord[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `acme/m-${from + i}`,
    task_types: [tasks[(from + i) % tasks.length] as string],
    license: (from + i) % 2 === 0 ? "mit" : "apache-2.0",
    downloads: from + i,
    description: `Model number ${from + i} of a long series.`,
    card: `What the maker says of number ${from + i}.`,
    ...more,
  }));
}
