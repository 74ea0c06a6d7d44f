/** The process of one background task: see run-in-background.ts, which starts it and tells it what to do. */
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import type { FromBackground, ToBackground } from "./task.ts";

// Before anything else is loaded: on Linux a thread has the priority of the one that starts it.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.env.LANCEDB_LOG ??= "off";

/** How long it may go on without the process that started it, in milliseconds. */
const ENDS_WITHIN_MS = 5_000;

const stop = new AbortController();
// Whoever started it says when to stop, and it is to stop where that one is gone.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {});
}
process.once("disconnect", () => {
  stop.abort(new Error("the service is gone"));
  // What it does may take minutes, and whoever comes next waits for its lock; nothing acknowledged is lost by this.
  setTimeout(() => process.exit(1), ENDS_WITHIN_MS).unref();
});

const [first] = (await once(process, "message")) as [ToBackground];
process.on("message", (message: ToBackground) => {
  if ("stop" in message) {
    stop.abort(new Error("the service stops"));
  }
});
if ("task" in first) {
  await answer(first);
}
if (process.connected) {
  process.disconnect();
}

async function answer(message: Exclude<ToBackground, { stop: true }>): Promise<void> {
  const { failureOf } = await import("./failure.ts");
  try {
    const { doTask } = await import("./do-task.ts");
    await send({ done: await doTask(message, stop.signal) });
  } catch (error) {
    await send({ failed: failureOf(error) });
  }
}

/** Tells the answer, where there is still somebody to tell it to. */
async function send(message: FromBackground): Promise<void> {
  if (!process.connected) {
    return;
  }
  await new Promise<void>((resolve) => process.send?.(message, undefined, undefined, () => resolve()));
}
