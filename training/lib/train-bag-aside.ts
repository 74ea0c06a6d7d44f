import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Bag, BagExample, BagOptions } from "./bag.ts";

/** `trainBag` on another core, while the convolution is trained, which takes longer: neither needs the other. */
export async function trainBagAside(examples: readonly BagExample[], options: BagOptions): Promise<Bag> {
  const worker = new Worker(new URL("./bag-worker.ts", import.meta.url), { workerData: { examples, options } });
  const [bag] = (await once(worker, "message")) as [Bag];
  return bag;
}
