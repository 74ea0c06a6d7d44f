/** Runs in its own thread: YAML takes a while, and a hostile document could use up all memory. */
import { parentPort, workerData } from "node:worker_threads";
import { parse } from "yaml";
import type { YamlAnswer, YamlTask } from "./parse-yaml.ts";

const { text, maxAliasCount } = workerData as YamlTask;
const answer = ((): YamlAnswer => {
  try {
    return { value: parse(text, { merge: true, maxAliasCount, logLevel: "error" }) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
})();
parentPort?.postMessage(answer);
