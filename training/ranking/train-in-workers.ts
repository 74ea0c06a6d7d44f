import { once } from "node:events";
import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { RankingModelFile } from "../../src/recommend/score/learned/ranking-model.ts";
import type { RankingExamples } from "./examples.ts";
import { pick, trainTrees } from "./ranking.ts";

interface Task {
  examples: RankingExamples;
  needs: readonly number[];
  seed: number;
}

/**
 * Trains trees for several sets of needs, each in a thread of its own and as many at a time as there are processors.
 * The result does not depend on how many that are.
 *
 * @returns the trees in the order of the sets.
 */
export async function trainInWorkers(
  examples: RankingExamples,
  sets: readonly (readonly number[])[],
  seed: number,
): Promise<RankingModelFile[]> {
  // All threads read the same memory.
  const { table } = examples;
  const values = new Float32Array(new SharedArrayBuffer(table.values.byteLength));
  values.set(table.values);
  const shared = { ...examples, table: { ...table, values } };
  const found: RankingModelFile[] = [];
  const waiting = [...sets.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, needs] = next;
      const task: Task = { examples: shared, needs, seed };
      const worker = new Worker(new URL(import.meta.url), { workerData: task });
      const [model] = (await once(worker, "message")) as [RankingModelFile];
      found[place] = model;
      console.log(`trained ${found.filter((each) => each !== undefined).length} of ${sets.length}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return found;
}

if (!isMainThread) {
  const { examples, needs, seed } = workerData as Task;
  parentPort?.postMessage(trainTrees(pick(examples, needs), seed));
}
