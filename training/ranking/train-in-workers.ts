import { once } from "node:events";
import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { RankingModelFile } from "../../src/recommend/score/learned/ranking-model.ts";
import type { RankingExamples } from "./examples.ts";
import { pick, trainTrees } from "./ranking.ts";
import { type AffinityExamples, trainAffinity } from "./train-affinity.ts";

/** What a thread trains, and from which examples. */
type Kind = { trees: RankingExamples } | { affinities: AffinityExamples };

interface Task {
  kind: Kind;
  needs: readonly number[];
  seed: number;
}

/** Trains trees for several sets of needs. @returns them in the order of the sets. */
export async function trainTreesInWorkers(
  examples: RankingExamples,
  sets: readonly (readonly number[])[],
  seed: number,
): Promise<RankingModelFile[]> {
  // All threads read the same memory.
  const { table } = examples;
  const values = new Float32Array(new SharedArrayBuffer(table.values.byteLength));
  values.set(table.values);
  return inWorkers({ trees: { ...examples, table: { ...table, values } } }, sets, seed);
}

/** Learns affinities from several sets of needs. @returns the bytes of their files in the order of the sets. */
export async function trainAffinitiesInWorkers(
  examples: AffinityExamples,
  sets: readonly (readonly number[])[],
  seed: number,
): Promise<Buffer[]> {
  const files = await inWorkers<Uint8Array>({ affinities: examples }, sets, seed);
  return files.map((bytes) => Buffer.from(bytes));
}

/**
 * Trains for each set in a thread of its own, as many at a time as there are processors. The result does not depend on how
 * many that are.
 */
async function inWorkers<Trained>(kind: Kind, sets: readonly (readonly number[])[], seed: number): Promise<Trained[]> {
  const [name = ""] = Object.keys(kind);
  const found: Trained[] = [];
  const waiting = [...sets.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, needs] = next;
      const task: Task = { kind, needs, seed };
      const worker = new Worker(new URL(import.meta.url), { workerData: task });
      const [trained] = (await once(worker, "message")) as [Trained];
      found[place] = trained;
      console.log(`trained ${name} ${found.filter((each) => each !== undefined).length} of ${sets.length}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return found;
}

if (!isMainThread) {
  const { kind, needs, seed } = workerData as Task;
  parentPort?.postMessage(
    "trees" in kind ? trainTrees(pick(kind.trees, needs), seed) : trainAffinity(kind.affinities, needs, seed),
  );
}
