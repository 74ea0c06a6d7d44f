import { describe, expect, test } from "vitest";
import { StringPool } from "../../src/text/index.ts";

describe("StringPool", () => {
  test("parses what JSON.parse parses", () => {
    const values = [
      null,
      true,
      0.5,
      "text",
      [],
      {},
      ["a", ["a", { b: "a" }], null, 3],
      { a: "a", b: { a: "a", c: [1.5, "a", null, false] }, d: null, long: "x".repeat(500) },
      JSON.parse('{"__proto__": {"a": "b"}, "constructor": "c"}'),
    ];
    const pool = new StringPool();
    for (const value of values) {
      const json = JSON.stringify(value);
      expect(JSON.stringify(pool.parse(json))).toBe(json);
      expect(pool.parse(json)).toEqual(value);
    }
  });

  test("keeps no more strings than it may, and none that are long", () => {
    const pool = new StringPool(10);
    for (let i = 0; i < 25; i++) {
      pool.parse(JSON.stringify([`text ${i}`, { again: `text ${i}`, long: `${i}`.padEnd(97) }]));
      expect(pool.size).toBeLessThanOrEqual(10);
    }
    expect(pool.size).toBe(5);
  });

  test("keeps equal strings of several values once", () => {
    const pool = new StringPool();
    for (let i = 0; i < 100; i++) {
      pool.parse('[{"as_of": "2026-04-20"}, "2026-04-20", ["apache-2.0"]]');
    }
    expect(pool.size).toBe(2);
  });
});
