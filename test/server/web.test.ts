import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { acceptedCoding } from "../../src/server/web-routes.ts";
import { h2Client, sendHttp1 } from "../support/clients/http.ts";
import { restError } from "../support/clients/rest.ts";
import { startApp } from "../support/service/start-app.ts";

const records = [{ name: "acme/one", task_types: ["text-generation"] }];
const { url } = await startApp({ records, isUnlimited: false });
const unguarded = await startApp({ records, env: { MODELSCOUT_LOOPBACK_GUARD: "off" } });
const dist = join(import.meta.dirname, "../../web/dist");

const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter(
  (file) => statSync(join(dist, file)).isFile() && !/\.(?:br|gz)$/.test(file),
);
const pathOf = (file: string) => (file === "index.html" ? "/" : `/${file}`);

/** Without what fetch adds and undoes by itself. */
async function get(path: string, headers: Record<string, string> = {}, method = "GET") {
  const answer = await fetch(url + path, {
    method,
    headers: { "accept-encoding": "identity", ...headers },
    redirect: "manual",
  });
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
}

/** As a browser asks when a link leads to a page; fetch has these headers of its own. */
const visit = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
const follow = (path: string, site: string, headers: Record<string, string> = visit, at = url) =>
  sendHttp1(at, { path, headers: { ...headers, "sec-fetch-site": site } });

describe("the built page", () => {
  it.each(files)("%s is served as it is in the project", async (file) => {
    const { status, headers, body } = await get(pathOf(file));
    expect(status).toBe(200);
    expect(body.equals(readFileSync(join(dist, file)))).toBe(true);
    expect(headers.get("content-length")).toBe(String(body.length));
    expect(headers.has("content-encoding")).toBe(false);
    expect(headers.get("vary")).toBe("Accept-Encoding");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe(
      file.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
    );
  });

  it("is compressed already, in either coding, with its own tag", async () => {
    const get2 = h2Client(url);
    for (const file of files) {
      const whole = readFileSync(join(dist, file));
      const tags = new Set<unknown>();
      for (const [coding, decompress] of [
        ["br", brotliDecompressSync],
        ["gzip", gunzipSync],
      ] as const) {
        // fetch would decompress.
        const { headers } = await get2({ path: pathOf(file), headers: { "accept-encoding": coding } });
        expect(headers["content-encoding"]).toBe(coding);
        const sent = readFileSync(join(dist, `${file}.${coding === "br" ? "br" : "gz"}`));
        expect(headers["content-length"]).toBe(String(sent.length));
        expect(decompress(sent).equals(whole), `${file}.${coding}`).toBe(true);
        tags.add(headers.etag);
      }
      tags.add((await get(pathOf(file))).headers.get("etag"));
      expect(tags.size).toBe(3);
    }
  });

  it("is not sent again while it is the same", async () => {
    const first = await get("/");
    const etag = first.headers.get("etag") as string;
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await get("/", { "if-none-match": tags });
      expect({ tags, status: again.status, bytes: again.body.length }).toEqual({ tags, status: 304, bytes: 0 });
      expect(again.headers.get("etag")).toBe(etag);
      expect(again.headers.get("cache-control")).toBe("no-cache");
    }
    expect((await get("/", { "if-none-match": '"other"' })).status).toBe(200);
    // Another coding is another body.
    expect((await get("/", { "if-none-match": etag, "accept-encoding": "br" })).status).toBe(200);
  });

  it("answers HEAD without a body, and other methods with the allowed ones", async () => {
    const head = await get("/", {}, "HEAD");
    expect({ status: head.status, bytes: head.body.length }).toEqual({ status: 200, bytes: 0 });
    const post = await get("/", {}, "POST");
    expect(post.status).toBe(405);
    expect(post.headers.get("allow")).toBe("GET, HEAD");
  });

  it("allows nothing inline, nothing from other hosts, and no frame", async () => {
    const policy = (await get("/")).headers.get("content-security-policy") as string;
    expect(policy).not.toMatch(/unsafe|data:|blob:|https?:|\*/);
    const directives = new Map(policy.split("; ").map((one) => [one.split(" ")[0], one]));
    for (const directive of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]) {
      expect(directives.get(directive.split(" ")[0])).toBe(directive);
    }
    const page = readFileSync(join(dist, "index.html"), "utf8");
    expect(page).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/);
  });

  it("needs no key and is not counted", async () => {
    const { status, headers } = await get("/", { "x-api-key": "no key at all" });
    expect(status).toBe(200);
    expect(headers.has("ratelimit")).toBe(false);
    const usage = await (await fetch(`${url}/models/usage`)).json();
    expect(usage).toMatchObject({ tier: "free", used: 0 });
  });

  it("says to a browser at an unknown path that nothing is there, and gives programs the error", async () => {
    const visit = await get("/nowhere/at/all", { accept: "text/html,application/xhtml+xml,*/*;q=0.8" });
    expect([visit.status, visit.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(visit.headers.get("content-security-policy")).toContain("default-src 'none'");
    const call = await get("/nowhere/at/all", { accept: "*/*" });
    expect([call.status, JSON.parse(call.body.toString()).error.status]).toEqual([404, "NOT_FOUND"]);
  });

  it("has no other paths", async () => {
    for (const path of ["/index.html.br", "/assets/", "/assets/../index.html.gz", "/src/main.tsx", "/package.json"]) {
      expect((await get(path)).status, path).toBe(404);
    }
  });
});

describe("links of other sites", () => {
  it.each(["/", "/?browse=families", "/docs"])("may lead to %s", async (path) => {
    expect((await follow(path, "cross-site")).status).toBe(200);
  });

  it("use up nothing: a question that they bring waits for the visitor", async () => {
    const { status, headers } = await follow("/?q=poems&license=mit", "cross-site");
    expect(status).toBe(303);
    expect(headers.location).toBe("/?q=poems&license=mit&unasked");
    expect(headers["cache-control"]).toBe("no-store");
    expect((await follow("/?q=poems&unasked", "cross-site")).status).toBe(200);
    for (const site of ["none", "same-origin"]) {
      expect((await follow("/?q=poems", site)).status).toBe(200);
    }
  });

  it("lead nowhere else on this computer", async () => {
    expect((await follow("/models/recommend?q=poems", "cross-site")).status).toBe(403);
    const others: Record<string, string>[] = [
      { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" },
      { "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
      { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty", origin: "https://elsewhere.example" },
    ];
    for (const headers of others) {
      expect((await follow("/", "cross-site", headers)).status).toBe(403);
    }
  });

  it("do not get past the Host check", async () => {
    const answer = await follow("/", "cross-site", { ...visit, host: "rebound.example" });
    expect(answer.status).toBe(403);
    expect(restError(answer)).toMatchObject({ details: { ErrorInfo: { reason: "HOST_REFUSED" } } });
  });

  it("bring questions that are sent if the guard is off", async () => {
    expect((await follow("/?q=poems", "cross-site", visit, unguarded.url)).status).toBe(200);
  });
});

describe("acceptedCoding", () => {
  const codings = ["br", "gzip"] as const;
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["gzip, deflate, br", "br"],
    ["gzip, deflate", "gzip"],
    ["GZIP;q=0.1", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["br; q=0.0,gzip ;q=0", undefined],
    ["*", "br"],
    ["*;q=0", undefined],
    ["br;q=0, *", "gzip"],
    ["br;q=x", undefined],
  ])("of %j is %j", (header, coding) => {
    expect(acceptedCoding(header, codings)).toBe(coding);
  });
});
