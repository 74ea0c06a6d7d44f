import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { CallsInFlight, createYieldToEventLoop } from "../../src/pace/yield-to-event-loop.ts";

describe("open calls", () => {
  it("let background work wait until the last one is answered", async () => {
    const calls = new CallsInFlight();
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    const both = [calls.during(() => first.promise), calls.during(() => second.promise)];
    let isQuiet = false;
    const quiet = calls.quiet(3_600_000).then(() => {
      isQuiet = true;
    });
    first.resolve();
    await both[0];
    await sleep(0);
    expect(isQuiet).toBe(false);
    second.reject(new Error("failed"));
    await expect(both[1]).rejects.toThrow("failed");
    await quiet;
    expect(isQuiet).toBe(true);
    // No call is open now: the wait ends at once, not after an hour.
    await expect(calls.quiet(3_600_000)).resolves.toBeUndefined();
  });

  it("do not hold up background work for longer than the given time", async () => {
    const calls = new CallsInFlight();
    let isAnswered = false;
    const call = Promise.withResolvers<void>();
    const answered = calls
      .during(() => call.promise)
      .then(() => {
        isAnswered = true;
      });
    for (const _ of [1, 2]) {
      await calls.quiet(1);
      expect(isAnswered).toBe(false);
    }
    call.resolve();
    await answered;
    expect(isAnswered).toBe(true);
  });
});

describe("long work that yields to the event loop", () => {
  it("lets other work run, and waits for open calls, at the end of each time slice", async () => {
    const calls = new CallsInFlight();
    const call = Promise.withResolvers<void>();
    const events: string[] = [];
    const answered = calls.during(() => call.promise).then(() => events.push("answered"));
    const yieldToEventLoop = createYieldToEventLoop({
      quiet: async () => {
        events.push("asked for quiet");
        await calls.quiet(3_600_000);
      },
    });
    setImmediate(() => {
      events.push("turned");
      setImmediate(() => call.resolve());
    });
    let yielded: Promise<void> | undefined;
    while (yielded === undefined) {
      // Holds the event loop, as work does.
      yielded = yieldToEventLoop();
    }
    await yielded;
    events.push("went on");
    await answered;
    expect(events).toEqual(["turned", "asked for quiet", "answered", "went on"]);
  });
});
