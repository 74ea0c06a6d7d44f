import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../../packages/connect-transcoding/src/request/parse-json.ts";

describe("parseJson", () => {
  it("finds duplicate keys with their paths", () => {
    const text = '{"a": 1, "b": [{"c": 1}, {"c": 1, "d": {"e": 1, "\\u0065": 2}}], "a": {"a": 1}}';
    expect(parseJson(text).duplicates).toEqual(["b[1].d.e", "a"]);
    expect(parseJson('[{"a":"{\\"a\\":1,"},{"a":"\\\\"}]').duplicates).toEqual([]);
  });

  it("finds a duplicate among many keys", () => {
    const keys = Array.from({ length: 100 }, (_, i) => `"k${i}": 1`);
    expect(parseJson(`{${keys.join()}}`).duplicates).toEqual([]);
    expect(parseJson(`{${[...keys, '"k50": 2'].join()}}`).duplicates).toEqual(["k50"]);
  });

  it("keeps integers that a double cannot hold", () => {
    expect(parseJson('{"a": 9007199254740993, "b": [-12345678901234567], "c": "9007199254740993"}').value).toEqual({
      a: 9007199254740993n,
      b: [-12345678901234567n],
      c: "9007199254740993",
    });
    expect(parseJson("12345678901234567890").value).toBe(12345678901234567890n);
    expect(parseJson("0.1234567890123456789").value).toBe(Number("0.1234567890123456789"));
  });

  it("throws a SyntaxError for anything else", () => {
    for (const text of ["", "{", "{} {}", "{'a': 1}", "[1,]", "NaN", "01"]) {
      expect(() => parseJson(text), text).toThrow(SyntaxError);
    }
  });

  it("equals JSON.parse() for everything that JSON.stringify() writes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const parsed = parseJson(text);
        expect(parsed.duplicates).toEqual([]);
        if (!/\d{16}/.test(text)) {
          expect(parsed.value).toEqual(JSON.parse(text));
        }
      }),
    );
  });
});
