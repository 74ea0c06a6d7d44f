// How long understanding and encoding a need take, and encoding model texts: node bench/understand.ts
import { loadStaticEncoder } from "../src/embedding/static-encoder.ts";
import { loadTaskClassifier } from "../src/recommend/understand/task-classifier.ts";
import { goldenNeeds } from "../test/recommend/understand/task-classifier-needs.ts";

const ROUNDS = 60;

const began = performance.now();
const classifier = loadTaskClassifier();
const encoder = loadStaticEncoder();
console.log(`load ${(performance.now() - began).toFixed(1)} ms`);

function measure(name: string, run: (need: string) => unknown): void {
  for (const [, need] of goldenNeeds) run(need);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const [, need] of goldenNeeds) {
      const start = performance.now();
      run(need);
      times.push(performance.now() - start);
    }
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(times.length * share)]! * 1000).toFixed(0);
  console.log(`${name}: p50 ${at(0.5)} µs, p99 ${at(0.99)} µs`);
}

measure("classify", (need) => classifier.classify(need));
measure("encode", (need) => encoder.encodeOne(need));

const texts = goldenNeeds.map(([label, need]) => `${label.replaceAll("-", " ")}. ${need}`);
const start = performance.now();
for (let round = 0; round < ROUNDS * 5; round++) await encoder.encode(texts);
const seconds = (performance.now() - start) / 1000;
console.log(`encode in bulk: ${Math.round((ROUNDS * 5 * texts.length) / seconds)} texts/s`);
