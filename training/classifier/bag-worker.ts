// The thread that `trainBagAside` starts.
import { parentPort, workerData } from "node:worker_threads";
import { type BagExample, type BagOptions, trainBag } from "./bag.ts";

const { examples, options } = workerData as { examples: BagExample[]; options: BagOptions };
parentPort?.postMessage(trainBag(examples, options));
