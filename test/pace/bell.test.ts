import { expect, it } from "vitest";
import { Bell } from "../../src/pace/waiting.ts";

const HOUR_MS = 3_600_000;

it("a ring ends a wait, and the next one as well until the bell is reset", async () => {
  const bell = new Bell();
  const waiting = bell.wait(HOUR_MS);
  bell.ring();
  await waiting;
  await bell.wait(HOUR_MS);
  expect(bell.reset()).toBe(true);
  expect(bell.reset()).toBe(false);
});

it("a ring before the wait ends it at once", async () => {
  const bell = new Bell();
  bell.ring();
  await bell.wait();
  bell.reset();
  let isOver = false;
  const waiting = bell.wait().then(() => {
    isOver = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  bell.ring();
  await waiting;
  expect(isOver).toBe(true);
});

it("a wait ends after its time without a ring", async () => {
  const bell = new Bell();
  await bell.wait(1);
  expect(bell.reset()).toBe(false);
});
