import { statSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import type { Encoder } from "../static/static-encoder.ts";
import {
  type Dtype,
  dtypeSuffixes,
  type EncoderFacts,
  type ModelPlace,
  type WorkerMessage,
  type WorkerRequest,
} from "./protocol.ts";
import { createTextBatcher } from "./text-batcher.ts";

/** How a transformers.js model is found and run. */
export interface TransformersOptions {
  /** Where models are downloaded from. Default https://huggingface.co. */
  hubUrl?: string;
  /** Folder of downloaded models. Default .modelscout/encoders in the current folder. */
  cacheDir?: string;
  /** Precision of the weights. Default: a downloaded one, else q8 if the model has it, else fp32. */
  dtype?: Dtype;
  /** Most tokens of a text that are read, at least 1. The model's own limit also applies. Default 512. */
  maxTokens?: number;
  /** Texts in a batch, 1 or more. Default 32. */
  maxBatch?: number;
}

/** Milliseconds that a worker may take to end by itself: far more than a batch takes. */
const END_MS = 20_000;

/** The package that runs the models, in the version that package.json names as an optional peer. */
export const TRANSFORMERS_PACKAGE = "@huggingface/transformers@4.3.1";

/** The form of a model id on the hub. */
const modelId = /^(?!.*(\.\.|--))(\w[\w.-]*\/)?\w[\w.-]{0,95}$/;

/**
 * Opens a model that transformers.js runs, in a separate thread. A text without a known word gets a vector of zeros. An
 * idle encoder does not keep the process alive.
 *
 * @param model a folder with config.json, tokenizer.json, tokenizer_config.json and onnx/model*.onnx. If there is no
 * such folder, a model id on the hub, which is downloaded once.
 * @throws Error that says what was tried and what would be right.
 */
export async function openTransformersEncoder(model: string, options: TransformersOptions = {}): Promise<Encoder> {
  const place = placeOf(model, options);
  const maxBatch = atLeastOne("maxBatch", options.maxBatch ?? 32);
  const worker = startWorker(place);
  let facts: EncoderFacts;
  try {
    const answer = await worker.opened;
    if (answer.kind !== "opened") {
      throw new Error(answer.kind === "refused" ? answer.tried : "its worker sent an unexpected answer");
    }
    facts = answer.facts;
  } catch (error) {
    await worker.terminate();
    const { message } = error as Error;
    // Only the worker looks the package up, so that this thread loads nothing of it.
    throw message.startsWith("Cannot find package '@huggingface/transformers'")
      ? packageMissing(model)
      : cannotOpen(model, message);
  }

  const { dimensions, dtype, fingerprint } = facts;
  const batches = createTextBatcher(async (texts) => {
    const answer = await worker.ask(texts);
    if (answer.kind === "failed") {
      throw new Error(`The encoder ${model} failed: ${answer.problem}`);
    }
    if (answer.kind !== "encoded") {
      throw new Error(`The encoder ${model} answered with ${answer.kind} instead of vectors`);
    }
    return texts.map((_, at) => answer.vectors.slice(at * dimensions, (at + 1) * dimensions));
  }, maxBatch);
  worker.onDead((error) => batches.fail(new Error(`The encoder ${model} has stopped: ${error.message}`)));

  const name = place.hubUrl === undefined ? basename(place.files) : model;
  return {
    id: `transformers-${name}-${dtype}-${fingerprint}`,
    dimensions,
    encode: batches.encode,
    close: async () => {
      batches.fail(new Error(`The encoder ${model} is closed`));
      await worker.stop();
    },
  };
}

function placeOf(model: string, options: TransformersOptions): ModelPlace {
  const { dtype } = options;
  if (dtype !== undefined && !Object.hasOwn(dtypeSuffixes, dtype)) {
    throw new TypeError(
      `dtype is ${JSON.stringify(dtype)}; it must be one of ${Object.keys(dtypeSuffixes).join(", ")}`,
    );
  }
  const cacheDir = resolve(options.cacheDir ?? join(".modelscout", "encoders"));
  const common = {
    cacheDir,
    dtypes: dtype === undefined ? (["q8", "fp32"] as const) : [dtype],
    maxTokens: atLeastOne("maxTokens", options.maxTokens ?? 512),
  };
  const folder = resolve(model);
  if (model !== "" && statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    return { ...common, model: folder, files: folder, hubUrl: undefined };
  }
  if (!modelId.test(model)) {
    throw cannotOpen(model, `there is no folder ${folder}, and a model id has the form owner/name`);
  }
  return { ...common, model, files: join(cacheDir, model), hubUrl: options.hubUrl ?? "https://huggingface.co" };
}

function atLeastOne(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 1) {
    return value;
  }
  throw new RangeError(`${name} is ${value}; it must be a whole number from 1`);
}

/** Most installations have no use for the package, and it is large, so it is installed only where somebody asks for it. */
function packageMissing(model: string): Error {
  return new Error(
    `The encoder ${JSON.stringify(model)} needs the package @huggingface/transformers, which is not installed. Install ` +
      `it with npm i ${TRANSFORMERS_PACKAGE}, or set MODELSCOUT_ENCODER to bundled.`,
  );
}

function cannotOpen(model: string, tried: string): Error {
  return new Error(
    `The encoder ${JSON.stringify(model)} cannot be opened: ${tried}. Set MODELSCOUT_ENCODER to bundled, to a folder with ` +
      "config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx or onnx/model_quantized.onnx, or to the id " +
      "of a transformers.js model that can be downloaded, such as Xenova/all-MiniLM-L6-v2.",
  );
}

/** A worker that handles one request at a time. */
interface ModelWorker {
  /** The first message. */
  opened: Promise<WorkerMessage>;
  /** Sends texts and resolves with the answer. Rejects when the worker dies. */
  ask(texts: string[]): Promise<WorkerMessage>;
  /** Calls back when the worker dies without having been stopped, also if it died before. */
  onDead(callback: (error: Error) => void): void;
  /** Stops the worker after its current work. */
  stop(): Promise<void>;
  /** Ends the worker at once. Only for a worker without a model. */
  terminate(): Promise<unknown>;
}

function startWorker(place: ModelPlace): ModelWorker {
  const ownUrl = import.meta.url;
  const url = new URL(`./worker${extname(new URL(ownUrl).pathname)}`, ownUrl);
  const worker = new Worker(url, { workerData: place, name: "encoder" });
  let pending: PromiseWithResolvers<WorkerMessage> | undefined;
  let dead: Error | undefined;
  let tellDead: (error: Error) => void = () => {};

  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  const send = (request: WorkerRequest) => worker.postMessage(request);

  const answer = () => {
    pending = Promise.withResolvers<WorkerMessage>();
    return pending.promise;
  };
  const die = (error: Error) => {
    if (dead !== undefined) {
      return;
    }
    dead = error;
    tellDead(error);
    pending?.reject(error);
  };
  worker.on("message", (message: WorkerMessage) => {
    worker.unref();
    pending?.resolve(message);
    pending = undefined;
  });
  worker.on("error", die);
  worker.on("exit", (code) => die(new Error(`its worker thread exited with status ${code}`)));

  return {
    opened: answer(),
    ask: (texts) => {
      if (dead !== undefined) {
        return Promise.reject(dead);
      }
      worker.ref();
      send({ kind: "encode", texts });
      return answer();
    },
    onDead: (callback) => {
      tellDead = callback;
      if (dead !== undefined) {
        callback(dead);
      }
    },
    stop: async () => {
      tellDead = () => {};
      // Terminating ONNX Runtime in the middle of a batch would crash the process.
      worker.ref();
      send({ kind: "end" });
      const timer = setTimeout(() => void worker.terminate(), END_MS);
      await exited;
      clearTimeout(timer);
    },
    terminate: () => worker.terminate(),
  };
}
