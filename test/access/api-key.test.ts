import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isKeyId, newApiKey, readApiKey } from "../../src/access/api-key.ts";
import { equalHashes } from "../../src/access/key-check.ts";

const alphabet = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];
const source = readFileSync(new URL("../../src/access/api-key.ts", import.meta.url), "utf8");

describe("a key", () => {
  it("has the documented form, with its own id and secret", () => {
    // As the comment that scanners are set up from tells it.
    const documented = /ms_live_\S+\{38\}/.exec(source)?.[0] ?? "none";
    const keys = Array.from({ length: 500 }, newApiKey);
    for (const { key, id } of keys) {
      expect(key).toMatch(new RegExp(`^${documented}$`));
      expect(key).toHaveLength(59);
      expect(key.split("_")[2]).toBe(id);
      expect(isKeyId(id)).toBe(true);
    }
    expect(new Set(keys.map(({ id }) => id)).size).toBe(keys.length);
    expect(new Set(keys.map(({ hash }) => hash)).size).toBe(keys.length);
    // Every character of the alphabet is in use: 62^44 of them and not fewer.
    expect(new Set(keys.flatMap(({ key }) => [...key.slice(8, 20), ...key.slice(21, 53)])).size).toBe(62);
  });

  it("is read back unchanged, and its hash reveals nothing of it", () => {
    const { key, id, hash } = newApiKey();
    expect(readApiKey(key)).toEqual({ id, hash });
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("is refused if any one character is mistyped", () => {
    const { key } = newApiKey();
    for (let i = 0; i < key.length; i++) {
      for (const character of [...alphabet, "_", "-", " "]) {
        if (character === key[i]) {
          continue;
        }
        expect(readApiKey(key.slice(0, i) + character + key.slice(i + 1)), `at ${i}`).toHaveProperty("problem");
      }
    }
  });

  it("is refused if two neighbours are swapped, or a character is lost or doubled", () => {
    const { key } = newApiKey();
    for (let i = 0; i < key.length; i++) {
      const swapped = key.slice(0, i) + (key[i + 1] ?? "") + key[i] + key.slice(i + 2);
      if (swapped !== key) {
        expect(readApiKey(swapped)).toHaveProperty("problem");
      }
      expect(readApiKey(key.slice(0, i) + key.slice(i + 1))).toHaveProperty("problem");
      expect(readApiKey(key.slice(0, i) + key[i] + key.slice(i))).toHaveProperty("problem");
    }
  });

  it("of any other text is a problem that repeats nothing of it", () => {
    const others = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.string({ unit: fc.constantFrom(...alphabet, "_"), maxLength: 80 }).map((text) => `ms_live_${text}`),
      fc.string({ unit: fc.constantFrom(...alphabet), minLength: 51, maxLength: 51 }).map((text) => `ms_live_${text}`),
    );
    fc.assert(
      fc.property(others, (text) => {
        const read = readApiKey(text) as { problem: string };
        expect(read.problem).toBeTypeOf("string");
        if (text.length > 20) {
          expect(read.problem).not.toContain(text.slice(8, 20));
        }
      }),
    );
  });

  it.each([
    ["sk-12345678", "a key begins with ms_live_"],
    ["ms_live_", "a key has 59 characters, and this has 8"],
    [`ms_live_${"a".repeat(1e6)}`, "a key has 59 characters, and this has 1000008"],
    [`ms_live_${"ä".repeat(51)}`, "a key is ms_live_<id>_<secret>, of letters and digits"],
    [`ms_live_${"a".repeat(12)}_${"a".repeat(38)}`, "its checksum does not match, so it was mistyped"],
  ])("that is none is told by what is wrong", (text, problem) => {
    expect(readApiKey(text)).toEqual({ problem });
  });
});

describe("hashes", () => {
  it("are equal when all of them is", () => {
    const [a, b] = [newApiKey().hash, newApiKey().hash];
    expect(equalHashes(a, a)).toBe(true);
    expect(equalHashes(a, b)).toBe(false);
    expect(equalHashes(a, `${a.slice(0, -1)}${a.endsWith("0") ? "1" : "0"}`)).toBe(false);
  });

  it("are compared by timingSafeEqual, and nowhere by ===", () => {
    const check = readFileSync(new URL("../../src/access/key-check.ts", import.meta.url), "utf8");
    expect(check).toMatch(/return timingSafeEqual\(/);
    expect(check).toMatch(/if \(!equalHashes\(hash, row\?\.hash \?\? decoy\) \|\| row === undefined\)/);
    for (const text of [source, check]) {
      expect(text).not.toMatch(/hash\s*[!=]==|[!=]==\s*(?:\w+\.)?hash/);
    }
  });
});
