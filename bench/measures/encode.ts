import { loadStaticEncoder } from "../../src/embedding/static/static-encoder.ts";
import { normalise } from "../../src/inventory/facts/normalise.ts";
import { searchableText } from "../../src/inventory/facts/search-text.ts";
import { STARTER_GATHERED_AT, starterRecords } from "../../src/sources/starter.ts";
import type { Report } from "../report/report.ts";
import { summarise } from "../report/summarise.ts";
import { needs } from "../support/needs.ts";

const ROUNDS = 300;
const PASSES = 15;

/** The time of the bundled encoder on one core, for needs and for the search texts of the starter's models. */
export async function measureEncode(): Promise<Report> {
  const began = performance.now();
  const encoder = loadStaticEncoder();
  const loadMs = performance.now() - began;
  const queries = needs.map((need) => need.description);
  const texts: string[] = [];
  for await (const record of starterRecords()) {
    const model = normalise(record, { source: "huggingface", seenAt: STARTER_GATHERED_AT });
    texts.push(searchableText(model, record.card));
  }

  // The encoder splits unknown words at their first occurrence, then caches the result.
  const firstPass = perSecond(encoder.encodeOne, texts);
  const passes: number[] = [];
  const queryPasses: number[] = [];
  for (let pass = 0; pass < PASSES; pass++) {
    passes.push(perSecond(encoder.encodeOne, texts));
    queryPasses.push(perSecond(encoder.encodeOne, Array.from({ length: 50 }, () => queries).flat()));
  }
  const perQuery: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const query of queries) {
      const from = performance.now();
      encoder.encodeOne(query);
      perQuery.push((performance.now() - from) * 1_000);
    }
  }
  const words = texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0) / texts.length;
  const queryWords = queries.reduce((sum, text) => sum + text.split(/\s+/).length, 0) / queries.length;
  return {
    measures: [
      { name: "a query", unit: "µs", ...summarise(perQuery), goal: { most: 50 } },
      { name: "queries", unit: "texts/s", ...summarise(queryPasses), p95: undefined, goal: { least: 20_000 } },
      { name: "models' search texts", unit: "texts/s", ...summarise(passes), goal: { least: 20_000 } },
      { name: "models' search texts, first pass", unit: "texts/s", median: firstPass, samples: 1 },
      { name: "loading the encoder", unit: "ms", median: loadMs, samples: 1 },
    ],
    notes: [
      `${queries.length} queries of ${queryWords.toFixed(0)} words on average; ${texts.length} models' texts of ${words.toFixed(0)}.`,
      "Encoding runs on the calling thread, so a second of it is a second of one core.",
    ],
  };
}

function perSecond(encodeOne: (text: string) => Float32Array, texts: readonly string[]): number {
  const began = performance.now();
  for (const text of texts) {
    encodeOne(text);
  }
  return (texts.length * 1_000) / (performance.now() - began);
}
