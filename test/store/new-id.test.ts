import { expect, it } from "vitest";
import { newId } from "../../src/store/new-id.ts";

it("ids sort by time, differ within a millisecond and hold no colon", () => {
  const times = [0, 1, 31, 32, 1_000, 1_900_000_000_000, 1_900_000_000_001, 2 ** 49];
  const ids = times.map((time) => newId("act", time));
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids) {
    expect(id).toMatch(/^act_[0-9a-v]{26}$/);
  }
  expect(new Set(Array.from({ length: 1_000 }, () => newId("own", 5))).size).toBe(1_000);
});
