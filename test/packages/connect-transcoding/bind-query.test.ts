import { fromJson, type JsonObject, toJson } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileBindings, readHttpRule } from "../../../packages/connect-transcoding/src/http-rule/binding.ts";
import { queryBinder } from "../../../packages/connect-transcoding/src/request/bind-query.ts";
import { describeProblem, type FieldProblem } from "../../../packages/connect-transcoding/src/validation/problems.ts";
import { bookDesc, libraryService } from "./support/library.ts";

const findBook = libraryService.method.findBook!;
const bindings = compileBindings(findBook, readHttpRule(findBook)!, {
  allowDeleteBody: false,
  finiteNumbersOnly: false,
});

function bind(query: string, { binding = 0, ignoreUnknown = false } = {}): { json: JsonObject; problems: string[] } {
  const json: JsonObject = {};
  const problems: FieldProblem[] = [];
  queryBinder(bindings[binding]!, { ignoreUnknown, finiteNumbersOnly: false })(query, json, problems);
  return { json, problems: problems.map((each) => `${each.field}: ${describeProblem(each)}`) };
}

describe("queryBinder", () => {
  it("binds every kind of field", () => {
    const query =
      "title=a+b%2B&pages=-7&copies=9007199254740993&tags=x&tags=&genre=GENRE_POETRY&moreGenres=1&more_genres=2" +
      "&labels[k.1]=v&labels[__proto__]=w&printed_at=2026-01-31T12:00:00Z&reading_time=1.5s&mask=in_print,preface" +
      "&edition=3&cover=-_8&in_print=false&person=me&price=1.5&preface.appendix.title=deep&note=&sales=1&sales=-2" +
      "&extra=%7B%22a%22%3A1%7D&anything=null";
    const { json, problems } = bind(query);
    expect(problems).toEqual([]);
    expect(toJson(bookDesc, fromJson(bookDesc, json))).toEqual({
      title: "a b+",
      pages: -7,
      copies: "9007199254740993",
      tags: ["x", ""],
      genre: "GENRE_POETRY",
      moreGenres: ["GENRE_NOVEL", "GENRE_POETRY"],
      labels: JSON.parse('{"k.1": "v", "__proto__": "w"}'),
      printedAt: "2026-01-31T12:00:00Z",
      readingTime: "1.500s",
      mask: "inPrint,preface",
      edition: 3,
      cover: "+/8=",
      inPrint: false,
      person: "me",
      price: 1.5,
      preface: { appendix: { title: "deep" } },
      note: "",
      sales: ["1", "-2"],
      extra: { a: 1 },
      anything: null,
    });
  });

  it("reports all problems at once", () => {
    expect(bind("titel=x&pages=1.5&zzzzz=1&title=%zz&preface.wrods=1&tags[]=a&edition.value=1").problems).toEqual([
      "titel: unknown query parameter `titel`; did you mean `title`?",
      "pages: expected an integer from -2147483648 to 2147483647",
      "zzzzz: unknown query parameter `zzzzz`",
      "title: expected percent-encoded UTF-8",
      "preface.wrods: unknown query parameter `wrods`; did you mean `preface.words`?",
      "tags[]: unknown query parameter `tags[]`; did you mean `tags`?",
      "edition.value: unknown query parameter `value`",
    ]);
  });

  it("refuses fields that are set twice", () => {
    expect(bind("title=a&title=b").problems).toEqual(["title: set more than once"]);
    expect(bind("in_print=true&inPrint=true").problems).toEqual(["inPrint: also set as `in_print`"]);
    expect(bind("person=a&library_number=1").problems).toEqual([
      "library_number: excludes `person`: only one of them can be set",
    ]);
    expect(bind("labels[a]=1&labels[b]=2").problems).toEqual([]);
    expect(bind("labels[a]=1&labels[a]=2").problems).toEqual(["labels[a]: set more than once"]);
  });

  it("refuses fields that the path sets", () => {
    expect(bind("preface.words=1", { binding: 1 }).problems).toEqual([]);
    expect(bind("preface.title=x", { binding: 1 }).problems).toEqual([
      "preface.title: cannot be set by a query parameter here",
    ]);
    expect(bind("library_number=1", { binding: 2 }).problems).toEqual([
      "library_number: excludes `person`: only one of them can be set",
    ]);
    expect(bind("preface.title=x", { binding: 1, ignoreUnknown: true })).toEqual({ json: {}, problems: [] });
  });

  it("ignores unknown parameters if configured, but not wrong values", () => {
    expect(bind("zzz=1&constructor=1&__proto__=1&preface.__proto__.x=1", { ignoreUnknown: true })).toEqual({
      json: {},
      problems: [],
    });
    expect(
      bind("preface=x&chapters.title=x&chapters=x&labels=x&pages=", { ignoreUnknown: true }).problems,
    ).toHaveLength(4);
  });

  it("handles endless names", () => {
    expect(bind(`preface${".appendix".repeat(2000)}.title=x`).problems).toHaveLength(1);
    expect(bind(`preface${".appendix".repeat(80)}.title=x`).problems).toEqual([]);
  });

  it("binds the parameters of any message to the same message", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 8 });
    const chapter = fc.record(
      { title: text, words: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }) },
      { requiredKeys: [] },
    );
    const message = fc.record(
      {
        title: text,
        pages: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
        copies: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
        barcode: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
        tags: fc.array(text, { minLength: 1, maxLength: 3 }),
        sales: fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String), { minLength: 1 }),
        inPrint: fc.boolean(),
        genre: fc.constantFrom("GENRE_NOVEL", "GENRE_POETRY"),
        preface: chapter,
        labels: fc.dictionary(
          fc.string({ minLength: 1, maxLength: 4 }).map((key) => key.replaceAll(/[[\]]/g, "x")),
          text,
        ),
        cover: fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("base64url")),
        printedAt: fc
          .date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true })
          .map((date) => date.toISOString()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(message, (json) => {
        const pairs: string[] = [];
        const add = (name: string, value: unknown) => {
          pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
        };
        for (const [name, value] of Object.entries(json)) {
          if (Array.isArray(value)) {
            value.forEach((each) => {
              add(name, each);
            });
          } else if (typeof value === "object" && value !== null) {
            for (const [key, each] of Object.entries(value)) {
              add(name === "labels" ? `labels[${key}]` : `${name}.${key}`, each);
            }
          } else {
            add(name, value);
          }
        }
        const bound = bind(pairs.join("&"));
        expect(bound.problems).toEqual([]);
        const withoutEmpty = { ...json };
        if (Object.keys(json.preface ?? {}).length === 0) {
          // No parameter can set a message without fields.
          delete withoutEmpty.preface;
        }
        expect(toJson(bookDesc, fromJson(bookDesc, bound.json))).toEqual(
          toJson(bookDesc, fromJson(bookDesc, withoutEmpty as JsonObject)),
        );
      }),
    );
  });
});
