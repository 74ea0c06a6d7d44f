import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatPathTemplate,
  parsePathTemplate,
} from "../../../packages/connect-transcoding/src/http-rule/path-template.ts";
import { templateArbitrary } from "./support/template-arbitrary.ts";

describe("parsePathTemplate", () => {
  it("reads segments, variables and the verb", () => {
    expect(parsePathTemplate("/v1/{book.name=shelves/*/books/*}/{path=**}:mark%20read")).toEqual({
      segments: [
        { kind: "literal", text: "v1" },
        { kind: "literal", text: "shelves" },
        { kind: "*" },
        { kind: "literal", text: "books" },
        { kind: "*" },
        { kind: "**" },
      ],
      variables: [
        { fieldPath: "book.name", start: 1, end: 5, multiSegment: true, openEnded: false },
        { fieldPath: "path", start: 5, end: 6, multiSegment: true, openEnded: true },
      ],
      verb: "mark read",
    });
  });

  it("accepts / alone as the root", () => {
    expect(parsePathTemplate("/")).toEqual({ segments: [], variables: [], verb: "" });
  });

  it.each(["/*", "/**", "/a.b~c_d-e", "/a@b", "/a=b", "/{_x9}", "/{x=*}", "/{x=a}", "/a:verb", "/{x=**}:verb", "/%41"])(
    "accepts %s",
    (template) => {
      expect(() => parsePathTemplate(template)).not.toThrow();
    },
  );

  it.each([
    "",
    "a",
    "//",
    "/a/",
    "/a//b",
    "/:verb",
    "/a:",
    "/a:b:c",
    "/a:b/c",
    "/***",
    "/a*",
    "/*a",
    "/**/a",
    "/{x=**}/a",
    "/{x=**}/{y}",
    "/{x=**}/**",
    "/{}",
    "/{x",
    "/x}",
    "/{x=}",
    "/{x=a/}",
    "/{x=/a}",
    "/{x={y}}",
    "/{x={y}/a}",
    "/{x}a",
    "/{x}{y}",
    "/{x}/{x}",
    "/{.x}",
    "/{x.}",
    "/{x y}",
    "/a b",
    "/é",
    "/a?b",
    "/a#b",
    "/%",
    "/%4",
    "/%zz",
    "/a\n",
  ])("refuses %j with a message", (template) => {
    expect(() => parsePathTemplate(template)).toThrow(/^path template ".*": .* at position \d+$/s);
  });

  it("reads back what formatPathTemplate writes", () => {
    fc.assert(
      fc.property(templateArbitrary, (template) => {
        expect(parsePathTemplate(formatPathTemplate(template))).toEqual(template);
      }),
    );
  });

  it("never throws anything but its own error", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."/{}*:=.a%2Fb") }), (text) => {
        try {
          parsePathTemplate(text);
        } catch (error) {
          expect(String(error)).toContain("path template");
        }
      }),
    );
  });
});
