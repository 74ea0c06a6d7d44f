import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { CallsInFlight, createYieldToEventLoop } from "../../src/pace/yield-to-event-loop.ts";

describe("open calls", () => {
  it("let background work wait until the last one is answered", async () => {
    const calls = new CallsInFlight();
    calls.begin();
    calls.begin();
    let isQuiet = false;
    const quiet = calls.quiet(3_600_000).then(() => {
      isQuiet = true;
    });
    calls.end();
    await sleep(0);
    expect(isQuiet).toBe(false);
    calls.end();
    await quiet;
    expect(isQuiet).toBe(true);
    // No call is open now: the wait ends at once, not after an hour.
    await expect(calls.quiet(3_600_000)).resolves.toBeUndefined();
  });

  it("do not hold up background work for longer than the given time", async () => {
    const calls = new CallsInFlight();
    calls.begin();
    // The call stays open: the waits end by themselves.
    await expect(calls.quiet(1)).resolves.toBeUndefined();
    await expect(calls.quiet(1)).resolves.toBeUndefined();
  });
});

describe("long work that yields to the event loop", () => {
  it("lets other work run, and waits for open calls, at the end of each time slice", async () => {
    const calls = new CallsInFlight();
    const events: string[] = [];
    calls.begin();
    const yieldToEventLoop = createYieldToEventLoop({
      quiet: async () => {
        events.push("asked for quiet");
        await calls.quiet(3_600_000);
      },
    });
    setImmediate(() => {
      events.push("turned");
      setImmediate(() => {
        events.push("answered");
        calls.end();
      });
    });
    let yielded: Promise<void> | undefined;
    while (yielded === undefined) {
      // Holds the event loop, as work does.
      yielded = yieldToEventLoop();
    }
    await yielded;
    events.push("went on");
    expect(events).toEqual(["turned", "asked for quiet", "answered", "went on"]);
  });
});
