import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { untilAborted } from "../../pace/index.ts";

/** The input of the thread. */
export interface YamlTask {
  text: string;
  maxAliasCount: number;
}

/** The result of the thread. */
export type YamlAnswer = { value: unknown } | { problem: string };

/** How YAML is read. */
export interface ParseYamlOptions {
  /** How often aliases may repeat anchors, so that a small file cannot expand into a huge one. Default 10,000. */
  maxAliasCount?: number;
  /** Memory of the thread, in MB. Default 512: LocalAI's gallery of 2.4 MB takes about 100. */
  maxMemoryMb?: number;
  /** In milliseconds. Default 60,000. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/**
 * The value of a YAML document, with merge keys and anchors resolved. It is parsed in a thread with bounded memory and
 * time, so that a large document does not block the event loop.
 *
 * @throws Error that says what is wrong with it; the reason that the signal was aborted with.
 */
export async function parseYaml(text: string, options: ParseYamlOptions = {}): Promise<unknown> {
  const { maxAliasCount = 10_000, maxMemoryMb = 512, timeoutMs = 60_000, signal } = options;
  signal?.throwIfAborted();
  const ownUrl = import.meta.url;
  const worker = new Worker(new URL(`./yaml-worker${extname(new URL(ownUrl).pathname)}`, ownUrl), {
    workerData: { text, maxAliasCount } satisfies YamlTask,
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    name: "yaml",
  });
  const timeout = AbortSignal.timeout(timeoutMs);
  const stop = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  try {
    const reading = new Promise<YamlAnswer>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("its reader ended early")));
    });
    const answer = await untilAborted(stop, reading);
    if ("problem" in answer) {
      throw new Error(answer.problem);
    }
    return answer.value;
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.aborted) {
      throw new Error(`it takes longer than ${timeoutMs / 1_000} s to read`);
    }
    if ((error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY") {
      throw new Error(`it takes more than ${maxMemoryMb} MB to read`);
    }
    throw error;
  } finally {
    await worker.terminate();
  }
}
