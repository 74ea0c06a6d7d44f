import { loadStaticEncoder } from "../../src/embedding/static/static-encoder.ts";
import { loadNeedClassifier } from "../../src/recommend/understand/need-classifier.ts";
import { understand } from "../../src/recommend/understand/understand.ts";
import { readWishes } from "../../src/recommend/understand/wishes/read-wishes.ts";
import { renderReport } from "../report/render-report.ts";
import type { Report } from "../report/report.ts";
import { summarise } from "../report/summarise.ts";
import { needs } from "../support/needs.ts";

const WARM_UP_ROUNDS = 5;
const ROUNDS = 60;

/** The time to understand and encode a need, alone in the process. */
export async function measureUnderstand(): Promise<Report> {
  const began = performance.now();
  const classifier = loadNeedClassifier();
  const encoder = loadStaticEncoder();
  const loadMs = performance.now() - began;
  const parts: Record<string, (need: string) => unknown> = {
    "understand and encode": (need) => [understand(need), encoder.encodeOne(need)],
    "  classify by task and purpose": (need) => classifier.classify(need),
    "  read the wishes": (need) => readWishes(need),
    "  encode": (need) => encoder.encodeOne(need),
  };
  const firstTime: number[] = [];
  const times = new Map(Object.keys(parts).map((name) => [name, [] as number[]]));
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const { description } of needs) {
      for (const [name, run] of Object.entries(parts)) {
        const from = performance.now();
        run(description);
        const ms = performance.now() - from;
        if (round >= 0) {
          times.get(name)?.push(ms);
        } else if (round === -WARM_UP_ROUNDS && name === "understand and encode") {
          firstTime.push(ms);
        }
      }
    }
  }
  return {
    measures: [
      ...[...times].map(([name, samples]) => ({
        name,
        unit: "ms",
        ...summarise(samples),
        goal: name === "understand and encode" ? { most: 0.5 } : undefined,
      })),
      { name: "the first time", unit: "ms", ...summarise(firstTime) },
      { name: "loading classifier and encoder", unit: "ms", median: loadMs, samples: 1 },
    ],
    notes: [
      `${needs.length} needs, ${ROUNDS} rounds after ${WARM_UP_ROUNDS} to warm up; the first time is the first of those.`,
    ],
  };
}

if (import.meta.main) {
  console.log(renderReport(await measureUnderstand()));
}
