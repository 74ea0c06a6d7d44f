import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PathMatcher } from "../../../packages/connect-transcoding/src/http-rule/path-matcher.ts";
import {
  captureVariable,
  parsePathTemplate,
} from "../../../packages/connect-transcoding/src/http-rule/path-template.ts";
import { templateArbitrary } from "./support/template-arbitrary.ts";

/** Routes are written "METHOD /template", and GET is the default. */
function matcherOf(...routes: string[]): PathMatcher<string> {
  const matcher = new PathMatcher<string>();
  for (const route of routes) {
    const [template, method = "GET"] = route.split(" ").reverse();
    matcher.add(method, parsePathTemplate(template!), route);
  }
  return matcher;
}

function matched(matcher: PathMatcher<string>, path: string, method = "GET"): string | readonly string[] | undefined {
  const match = matcher.match(method, path);
  return match?.kind === "route" ? match.value : match?.allow;
}

describe("PathMatcher", () => {
  it("prefers literals to * and * to **, in any order", () => {
    const routes = ["/v1/x/special", "/v1/x/{id}", "/v1/x/{path=**}", "/v1/{a}/special"];
    fc.assert(
      fc.property(fc.shuffledSubarray(routes, { minLength: routes.length }), (shuffled) => {
        const matcher = matcherOf(...shuffled);
        expect(matched(matcher, "/v1/x/special")).toBe("/v1/x/special");
        expect(matched(matcher, "/v1/x/other")).toBe("/v1/x/{id}");
        expect(matched(matcher, "/v1/x/other/more")).toBe("/v1/x/{path=**}");
        expect(matched(matcher, "/v1/y/special")).toBe("/v1/{a}/special");
        expect(matched(matcher, "/v1/y/other")).toBeUndefined();
      }),
    );
  });

  it("backtracks from a literal that leads nowhere", () => {
    const matcher = matcherOf("/a/b/c/d", "/a/{x}/c/e", "/{y=**}");
    expect(matched(matcher, "/a/b/c/d")).toBe("/a/b/c/d");
    expect(matched(matcher, "/a/b/c/e")).toBe("/a/{x}/c/e");
    expect(matched(matcher, "/a/b/c/f")).toBe("/{y=**}");
  });

  it("falls back to a route that has the method", () => {
    const matcher = matcherOf("POST /v1/items/special", "GET /v1/items/{id}");
    expect(matched(matcher, "/v1/items/special")).toBe("GET /v1/items/{id}");
    expect(matched(matcher, "/v1/items/special", "POST")).toBe("POST /v1/items/special");
  });

  it("lists the methods of a path", () => {
    const matcher = matcherOf("POST /a/b", "GET /a/{x}", "DELETE /{y=**}", "PUT /other");
    expect(matched(matcher, "/a/b", "PATCH")).toEqual(["POST", "GET", "HEAD", "DELETE"]);
    expect(matcherOf("POST /a").match("GET", "/b")).toBeUndefined();
  });

  it("serves HEAD by GET, unless it has its own route, and anything by *", () => {
    const matcher = matcherOf("GET /a", "GET /b", "HEAD /b", "* /c", "GET /c");
    expect(matched(matcher, "/a", "HEAD")).toBe("GET /a");
    expect(matched(matcher, "/b", "HEAD")).toBe("HEAD /b");
    expect(matched(matcher, "/c", "PURGE")).toBe("* /c");
    expect(matched(matcher, "/c", "GET")).toBe("GET /c");
  });

  it("splits off a verb only if a route has it", () => {
    const matcher = matcherOf("/items/{id}", "POST /items/{id}:archive", "/other/{id}", "/tree/{path=**}:list");
    expect(matched(matcher, "/items/1:archive", "POST")).toBe("POST /items/{id}:archive");
    expect(matched(matcher, "/items/1:archive")).toEqual(["POST"]);
    expect(matched(matcher, "/items/1:other")).toBe("/items/{id}");
    expect(matched(matcher, "/items/1%3Aarchive", "GET")).toBe("/items/{id}");
    expect(matched(matcher, "/items/a:b:archive", "POST")).toBe("POST /items/{id}:archive");
    expect(matched(matcher, "/other/1:archive")).toBe("/other/{id}");
    expect(matched(matcher, "/tree/a/b:list")).toBe("/tree/{path=**}:list");
    expect(matched(matcher, "/tree/a/b:other")).toBeUndefined();
    expect(matched(matcher, "/items/:archive", "POST")).toEqual(["GET", "HEAD"]);
  });

  it("does not match empty segments, except below **", () => {
    const matcher = matcherOf("/items", "/items/{id}", "/files/{path=**}", "/");
    expect(matched(matcher, "/items/")).toBeUndefined();
    expect(matched(matcher, "/items//")).toBeUndefined();
    expect(matched(matcher, "//items")).toBeUndefined();
    expect(matched(matcher, "/files")).toBe("/files/{path=**}");
    expect(matched(matcher, "/files/")).toBe("/files/{path=**}");
    expect(matched(matcher, "/files//a")).toBe("/files/{path=**}");
    expect(matched(matcher, "/")).toBe("/");
  });

  it("returns the route that has the same paths already", () => {
    const matcher = matcherOf("/a/{x}", "/a/%63");
    expect(matcher.add("GET", parsePathTemplate("/a/{other=*}"), "new")).toBe("/a/{x}");
    expect(matcher.add("GET", parsePathTemplate("/a/c"), "new")).toBe("/a/%63");
    expect(matcher.add("POST", parsePathTemplate("/a/c"), "new")).toBeUndefined();
    expect(matcher.add("GET", parsePathTemplate("/a/c:v"), "new")).toBeUndefined();
  });

  it("matches every path made from its template, and captures its variables", () => {
    const value = fc.string({ minLength: 1, maxLength: 5, unit: fc.constantFrom(..."ab:/%+ é*") });
    fc.assert(
      fc.property(templateArbitrary, fc.infiniteStream(value), fc.nat(3), (template, values, count) => {
        const matcher = new PathMatcher<boolean>();
        matcher.add("GET", template, true);
        const plain: string[] = [];
        for (const segment of template.segments) {
          const take = segment.kind === "**" ? count : 1;
          for (let i = 0; i < take; i++) {
            plain.push(segment.kind === "literal" ? segment.text : values.next().value);
          }
        }
        const verb = template.verb === "" ? "" : `:${encodeURIComponent(template.verb)}`;
        const encoded = plain.map(encodeURIComponent);
        const match = matcher.match("GET", `/${encoded.join("/")}${verb}`);
        expect(match?.kind).toBe("route");
        if (match?.kind === "route") {
          for (const variable of template.variables) {
            const part = plain.slice(variable.start, variable.openEnded ? undefined : variable.end);
            const wanted = variable.multiSegment ? part.map((each) => each.replaceAll("/", "%2F")).join("/") : part[0];
            expect(captureVariable(variable, match.segments)).toBe(wanted);
          }
        }
      }),
    );
  });
});
