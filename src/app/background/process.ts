/** The process of one background task: see run-in-background.ts, which starts it and sends it the task. */
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import type { FromBackground, ToBackground } from "./task.ts";

// Before anything else is loaded: on Linux a new thread gets the priority of the thread that starts it.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.env.LANCEDB_LOG ??= "off";

/** How long it may run after its parent process has ended, in milliseconds. */
const ENDS_WITHIN_MS = 5_000;

const stop = new AbortController();
// The parent process says when to stop. It also stops when the parent has ended.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {});
}
process.once("disconnect", () => {
  stop.abort(new Error("the service is gone"));
  // Its step may take minutes, and the next task waits for its lock. Ending it loses nothing acknowledged.
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

async function answer(message: Extract<ToBackground, { task: unknown }>): Promise<void> {
  const { failureOf } = await import("./task.ts");
  try {
    const { doTask } = await import("./do-task.ts");
    await send({ done: await doTask(message, stop.signal, send) });
  } catch (error) {
    await send({ failed: failureOf(error) });
  }
}

/** Sends the answer, if the parent process is still there. */
async function send(message: FromBackground): Promise<void> {
  if (!process.connected) {
    return;
  }
  await new Promise<void>((resolve) => process.send?.(message, undefined, undefined, () => resolve()));
}
