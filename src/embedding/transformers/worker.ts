/** Runs in a separate thread, so that the main one can answer while a model computes. */
import { parentPort, workerData } from "node:worker_threads";
import { describeFailure, loadTransformersModel } from "./model.ts";
import type { ModelPlace, WorkerMessage, WorkerRequest } from "./protocol.ts";

const port = parentPort!;
const place = workerData as ModelPlace;
const send = (message: WorkerMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
const refuse = (error: unknown) => send({ kind: "refused", tried: describeFailure(error, place) });

// The library leaves its own rejections unhandled if a weights file beside the ONNX file is missing.
process.on("unhandledRejection", refuse);
try {
  const model = await loadTransformersModel(place);
  process.off("unhandledRejection", refuse);
  let running: Promise<void> = Promise.resolve();
  port.on("message", (request: WorkerRequest) => {
    if (request.kind === "encode") {
      running = model.encode(request.texts).then(
        (vectors) => send({ kind: "encoded", vectors }, [vectors.buffer]),
        (error: unknown) => send({ kind: "failed", problem: error instanceof Error ? error.message : String(error) }),
      );
    } else {
      void running.then(() => model.dispose()).finally(() => port.close());
    }
  });
  send({ kind: "opened", facts: model.facts });
} catch (error) {
  refuse(error);
}
