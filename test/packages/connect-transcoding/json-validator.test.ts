import { create, equals, fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../../packages/connect-transcoding/src/request/parse-json.ts";
import { createJsonValidator } from "../../../packages/connect-transcoding/src/validation/json-validator.ts";
import { describeProblem } from "../../../packages/connect-transcoding/src/validation/problems.ts";
import { bookDesc } from "./support/library.ts";

const strict = createJsonValidator(bookDesc);

/** The problems as "field: description". */
function problems(json: unknown, validate = strict): string[] {
  return validate(json).problems.map((each) => `${each.field}: ${describeProblem(each)}`);
}

describe("createJsonValidator", () => {
  it("reports all problems at once, with the paths as sent", () => {
    const json = {
      titel: "x",
      pages: "many",
      genre: "GENRE_CRIME",
      chapters: [{ title: 1 }, { wordz: 2, appendix: { scor: 1 } }, null],
      byPage: { "2": { words: 1.5 }, one: {} },
      printed_at: "yesterday",
      cover: "?",
    };
    expect(problems(json)).toEqual([
      "titel: unknown field `titel`; did you mean `title`?",
      "pages: expected an integer from -2147483648 to 2147483647",
      "genre: expected one of `GENRE_UNSPECIFIED`, `GENRE_NOVEL`, `GENRE_POETRY`",
      "chapters[0].title: expected a string",
      "chapters[1].wordz: unknown field `wordz`; did you mean `words`?",
      "chapters[1].appendix.scor: unknown field `scor`; did you mean `score`?",
      "chapters[2]: expected a value, not null",
      "byPage[2].words: expected an integer from -2147483648 to 2147483647",
      "byPage[one]: expected an integer from -2147483648 to 2147483647 as the key",
      'printed_at: expected an RFC 3339 time from year 1 to 9999, such as "2026-01-31T12:00:00Z"',
      "cover: expected base64",
    ]);
  });

  it("names the nearest field in the spelling of the client", () => {
    expect(problems({ readinTime: "1s" })[0]).toContain("did you mean `readingTime`?");
    expect(problems({ readin_time: "1s" })[0]).toContain("did you mean `reading_time`?");
    expect(problems({ "reading-time": "1s" })[0]).toContain("did you mean `reading_time`?");
    expect(problems({ zzzzzz: 1 })).toEqual(["zzzzzz: unknown field `zzzzzz`"]);
  });

  it("refuses a field in both spellings, and two members of a oneof", () => {
    expect(problems({ in_print: true, inPrint: true })).toEqual(["inPrint: also set as `in_print`"]);
    expect(problems({ person: "x", library_number: 1 })).toEqual([
      "library_number: excludes `person`: only one of them can be set",
    ]);
    expect(problems({ person: null, library_number: 1 })).toEqual([]);
  });

  it.each([
    ["pages", [1.5, "1.5", "", " 1", "0x10", "+5", 2 ** 31, true, [], {}]],
    ["copies", ["9223372036854775808", 1.5, "1e99", 1e19, false]],
    ["barcode", [-1, "-1", "18446744073709551616"]],
    ["price", [1e39, "1.", ".5", "+1", "1 ", "nan", "0x1", ""]],
    ["signed", ["true", 1, 0]],
    ["title", [1, true, {}, "\ud800"]],
    ["genre", [1.5, "1", true, 2 ** 31]],
    ["reading_time", ["1h", "1", "1.0000000001s", "1sx", 1, "400000000000s"]],
    ["printed_at", ["2026-02-30T00:00:00Z", "2026-01-01", "2026-01-01T24:00:00Z", "0000-01-01T00:00:00Z", 1]],
    ["mask", ["a,,b", "a b", ",", 1]],
    ["tags", ["a", {}, [1], [null]]],
    ["labels", [[], "x", { a: 1 }, { a: null }]],
    ["extra", [[], 1, "x"]],
    ["edition", ["x", 1.5]],
    ["preface", [[], "x", 1]],
  ] as [string, JsonValue[]][])("refuses wrong values of %s", (field, values) => {
    for (const value of values) {
      expect(problems({ [field]: value }), JSON.stringify(value)).toHaveLength(1);
    }
  });

  it("returns JSON that fromJson accepts", () => {
    const { value, problems: none } = strict(
      parseJson(
        '{"copies": 9007199254740993, "barcode": "1e3", "pages": 1e2, "mask": "in_print,preface.title", "cover": "-_8",' +
          ' "extra": {"n": 9007199254740993}, "price": "NaN", "genre": 1, "anything": null, "labels": {"__proto__": "x"},' +
          ' "sales": ["1", 2, 12345678901234567]}',
      ).value,
    );
    expect(none).toEqual([]);
    const message = fromJson(bookDesc, value!);
    expect(toJson(bookDesc, message)).toEqual({
      copies: "9007199254740993",
      barcode: "1000",
      pages: 100,
      mask: "inPrint,preface.title",
      cover: "+/8=",
      extra: { n: 9007199254740992 },
      price: "NaN",
      genre: "GENRE_NOVEL",
      anything: null,
      labels: JSON.parse('{"__proto__": "x"}'),
      sales: ["1", "2", "12345678901234567"],
    });
  });

  it("drops unknown fields and enum names, if configured", () => {
    const lenient = createJsonValidator(bookDesc, { unknownFields: "ignore" });
    const { value, problems: none } = lenient({
      zzz: { a: [1] },
      genre: "NOPE",
      more_genres: ["NOPE", "GENRE_POETRY"],
      chapters: [{ zzz: 1 }],
    });
    expect(none).toEqual([]);
    expect(value).toEqual({ more_genres: ["GENRE_POETRY"].map(() => 2), chapters: [{}] });
  });

  it("refuses NaN and the infinities, if configured", () => {
    const finite = createJsonValidator(bookDesc, { finiteNumbersOnly: true });
    expect(problems({ price: "NaN", chapters: [{ score: "-Infinity" }] }, finite)).toEqual([
      "price: expected a number (32-bit float)",
      "chapters[0].score: expected a number",
    ]);
  });

  it("accepts null for every field as unset", () => {
    const json = Object.fromEntries(bookDesc.fields.map((field) => [field.jsonName, null]));
    const { value, problems: none } = strict(json);
    expect(none).toEqual([]);
    const message = fromJson(bookDesc, value!);
    expect(equals(bookDesc, message, fromJson(bookDesc, { anything: null }))).toBe(true);
    expect(equals(bookDesc, message, create(bookDesc))).toBe(false);
  });

  it("stops at a hundred problems and at a hundred levels", () => {
    expect(problems({ tags: Array.from({ length: 1000 }, () => 1) })).toHaveLength(100);
    let deep: JsonValue = {};
    for (let i = 0; i < 10_000; i++) {
      deep = { appendix: deep };
    }
    expect(problems({ preface: deep })).toHaveLength(1);
    let list: JsonValue = [];
    for (let i = 0; i < 10_000; i++) {
      list = [list];
    }
    expect(problems({ anything: list })).toHaveLength(1);
  });

  it("validates the value of a single field", () => {
    const pages = createJsonValidator(bookDesc.field.pages!);
    expect(problems("x", pages)[0]).toMatch(/^pages: expected an integer/);
    expect(pages(7)).toEqual({ value: 7, problems: [] });
    expect(pages(null)).toEqual({ value: null, problems: [] });
    const tags = createJsonValidator(bookDesc.field.tags!);
    expect(problems(["a", 1], tags)).toEqual(["[1]: expected a string"]);
  });
});
