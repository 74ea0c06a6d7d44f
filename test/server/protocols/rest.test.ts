import { describe, expect, it } from "vitest";
import { newApiKey } from "../../../src/access/api-key.ts";
import type { SourceRecord } from "../../../src/inventory/index.ts";
import { type HttpRequest, h2Client, sendHttp1 } from "../../support/clients/http.ts";
import { restError } from "../../support/clients/rest.ts";
import { startApp } from "../../support/service/start-app.ts";

const bare = { name: "acme/bare" };
const whole = {
  name: "acme/Whole",
  task_types: ["text-generation"],
  license: "mit",
  parameters: 1e9,
  context_length: 4_096,
  size_gb: 2,
  downloads: 10,
  likes: 0,
  gated: false,
  description: "Writes poems about acorns in English.",
  languages: ["en"],
};
const measured: SourceRecord = {
  name: "acme/measured",
  evaluations: [
    { board: "open-asr-en-shortform", value: 5.42, place: 4, of: 87, as_of: "2026-03-26", evidence: "measured" },
    { board: "swe-bench-verified", value: 70, evidence: "claimed", url: "https://example.com/card" },
    { board: "open-asr-en-shortform-speed", value: 525.4, place: 1, of: 1, evidence: "measured" },
  ],
};
const { url } = await startApp({ records: [bare, whole, measured] });
const overHttp2 = h2Client(url);
const jsonType = { "content-type": "application/json" };

describe.each([
  ["HTTP/1.1", (request: HttpRequest) => sendHttp1(url, request)],
  ["h2c", overHttp2],
])("REST over %s", (_version, send) => {
  const post = (path: string, body: unknown, headers: Record<string, string> = jsonType) =>
    send({ method: "POST", path, headers, body: JSON.stringify(body) });

  it("prints every field that is not optional, also empty and zero, and leaves unknown facts out", async () => {
    const recommended = JSON.parse(
      (await post("/models/recommend", { description: "zzqx", hardware: "cpu", top_k: 50 })).text,
    );
    expect(Object.keys(recommended)).toEqual([
      "results",
      "models_searched",
      "models_after_filter",
      "understood",
      "query_time_ms",
    ]);
    const nothing = JSON.parse((await post("/models/recommend", { description: "acorns", license: "gemma" })).text);
    expect(nothing).toMatchObject({
      results: [],
      models_searched: 3,
      models_after_filter: 0,
      understood: { wishes: [] },
    });
    const { models, next_page_token: token } = JSON.parse((await send({ path: "/models/family/bare" })).text);
    expect(token).toBe("");
    expect(models).toEqual([{ name: "acme/bare", family: "bare", task_types: [], source: "test" }]);
    const entry = JSON.parse((await send({ path: "/models/detail/acme/bare" })).text);
    expect(entry).toEqual({
      name: "acme/bare",
      family: "bare",
      task_types: [],
      source: "test",
      languages: [],
      tags: [],
      variants: [],
      sources: [{ name: "test", seen_at: expect.stringMatching(/^\d{4}-.*Z$/) }],
      quality: { completeness: expect.any(Number) },
      hardware: [],
      facts_from: {},
      evaluations: [],
      capabilities: [],
      run: [],
    });
  });

  it("sends known facts that are zero or false", async () => {
    const entry = JSON.parse((await send({ path: "/models/detail/acme/whole" })).text);
    expect(entry).toMatchObject({
      name: "acme/Whole",
      likes: 0,
      gated: false,
      downloads: 10,
      license_terms: { class: "permissive", commercial_use: true },
    });
    expect(entry.hardware).toHaveLength(4);
  });

  it("shows the figures of boards with place, date, source and licence", async () => {
    const { evaluations } = JSON.parse((await send({ path: "/models/detail/acme/measured" })).text);
    expect(evaluations).toEqual([
      expect.objectContaining({ evidence: "claimed", license: "MIT", url: "https://example.com/card" }),
      {
        board: "open-asr-en-shortform",
        board_name: "Open ASR leaderboard",
        metric: "word error rate in %",
        value: 5.42,
        higher_is_better: false,
        place: 4,
        of: 87,
        percentile: 0.9651,
        as_of: "2026-03-26",
        evidence: "measured",
        source: "Open ASR leaderboard (Hugging Face)",
        url: "https://huggingface.co/spaces/hf-audio/open_asr_leaderboard",
        license: "Apache-2.0",
        aspect: "quality",
        summary: "4th of 87 on the Open ASR leaderboard: 5.4 % of words wrong, March 2026",
      },
      expect.objectContaining({ aspect: "speed", device: "NVIDIA A100-SXM4-80GB", place: 1, of: 1 }),
    ]);
    expect(evaluations[0]).not.toHaveProperty("place");
    expect(evaluations[0]).not.toHaveProperty("as_of");
  });

  it("accepts bodies and parameters in both spellings", async () => {
    const limits = {
      snake: { max_size_gb: 3, min_context_length: 4_000, top_k: 1 },
      camel: { maxSizeGb: 3, minContextLength: 4_000, topK: 1 },
    };
    const answers = await Promise.all([
      post("/models/recommend", { description: "poems", ...limits.snake }),
      post("/models/recommend", { description: "poems", ...limits.camel }),
      send({ path: "/models/recommend?q=poems&max_size_gb=3&min_context_length=4000&top_k=1" }),
      send({ path: "/models/recommend?q=poems&maxSizeGb=3&minContextLength=4000&topK=1" }),
    ]);
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(JSON.parse(text)).toMatchObject({ models_after_filter: 1, results: [{ model: { name: "acme/Whole" } }] });
    }
  });

  it("accepts repeated parameters, plus signs and percent escapes", async () => {
    const { text } = await send({
      path: "/models/recommend?q=%70oems+about%20acorns&languages=en&languages=EN&ignore=size",
    });
    expect(JSON.parse(text)).toMatchObject({ models_after_filter: 1, results: [{ model: { name: "acme/Whole" } }] });
  });

  it.each(["application/json", "application/json; charset=utf-8", "Application/JSON", undefined])(
    "takes a body of type %s",
    async (type) => {
      const { status } = await post(
        "/models/recommend",
        { description: "poems" },
        type === undefined ? {} : { "content-type": type },
      );
      expect(status).toBe(200);
    },
  );

  it("answers HEAD like GET, without the body", async () => {
    for (const path of [
      "/models/families",
      "/models/tasks",
      "/models/detail/acme/whole",
      "/models/recommend?q=poems",
      "/models/usage",
      "/healthz",
      "/readyz",
    ]) {
      const head = await send({ method: "HEAD", path });
      const get = await send({ path });
      expect({ path, status: head.status, text: head.text }).toEqual({ path, status: 200, text: "" });
      expect(head.headers["content-type"]).toBe(get.headers["content-type"]);
    }
    const missing = await send({ method: "HEAD", path: "/models/detail/acme/nobody" });
    expect({ status: missing.status, text: missing.text }).toEqual({ status: 404, text: "" });
  });

  it("never lets recommendations be cached, nor their errors", async () => {
    for (const answer of [
      await post("/models/recommend", { description: "poems" }),
      await send({ path: "/models/recommend?q=poems" }),
      await send({ path: "/models/recommend?q=" }),
      await post("/models/recommend:batch", { requests: [{ description: "poems" }] }),
      await send({ path: "/models/usage" }),
    ]) {
      expect(answer.headers["cache-control"]).toBe("no-store");
    }
  });

  it("forbids browsers to guess the type of an answer", async () => {
    for (const path of ["/models/families", "/nowhere", "/models/recommend?q=", "/healthz", "/metrics", "/", "/docs"]) {
      expect({ path, header: (await send({ path })).headers["x-content-type-options"] }).toEqual({
        path,
        header: "nosniff",
      });
    }
  });

  it("keeps a valid request id, and makes a new one otherwise", async () => {
    const idOf = async (given: string | undefined, path = "/models/families") =>
      (await send({ path, headers: given === undefined ? {} : { "x-request-id": given } })).headers["x-request-id"];
    expect(await idOf("Az09._-")).toBe("Az09._-");
    expect(await idOf("x".repeat(128))).toBe("x".repeat(128));
    for (const path of ["/models/families", "/nowhere", "/models/recommend?q=", "/healthz"]) {
      expect(await idOf("kept", path)).toBe("kept");
      expect(await idOf(undefined, path)).toMatch(/^[0-9a-f-]{36}$/);
    }
    for (const bad of ["", "x".repeat(129), "a b", "a/b", "ä", newApiKey().key, "id-ms_live_4cS0"]) {
      expect(await idOf(bad)).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(await idOf(undefined)).not.toBe(await idOf(undefined));
  });

  it.each([
    ["GET", "/models"],
    ["GET", "/models/families/"],
    ["POST", "/models/family/qwen/more"],
    ["GET", "/models/detail/a/b/c"],
    ["GET", "/models/family/"],
    ["GET", "//models/families"],
    ["GET", "/modelscout.v1.InventoryService"],
    ["GET", "/models/recommend:nothing"],
    ["DELETE", "/favicon.ico"],
    ["GET", "/*"],
    ["GET", "/*!"],
  ])("answers %s %s with 404", async (method, path) => {
    const answer = await send({ method, path });
    expect(answer.status).toBe(404);
    expect(restError(answer)).toMatchObject({
      code: "NOT_FOUND",
      details: { ErrorInfo: { reason: "PATH_NOT_FOUND", domain: "modelscout" } },
    });
  });

  it.each([
    ["POST", "/models/families", "GET, HEAD"],
    ["DELETE", "/models/detail/acme%2Fwhole", "GET, HEAD"],
    ["PUT", "/models/recommend", "GET, HEAD, POST"],
    ["GET", "/models/estimate", "POST"],
    ["PATCH", "/models/recommend:batch", "POST"],
    ["POST", "/healthz", "GET, HEAD"],
    ["DELETE", "/readyz?x", "GET, HEAD"],
  ])("answers %s %s with 405 and tells what is allowed", async (method, path, allow) => {
    const answer = await send({ method, path });
    expect(answer.status).toBe(405);
    expect(String(answer.headers.allow).split(", ").sort().join(", ")).toBe(allow);
    expect(restError(answer)).toMatchObject({
      code: "UNIMPLEMENTED",
      details: { ErrorInfo: { reason: "METHOD_NOT_ALLOWED" } },
    });
  });

  it("finds a model with the slash plain or escaped, in any letter case", async () => {
    for (const name of ["acme/Whole", "acme%2FWhole", "ACME%2fwHOLE", "%61cme/whole"]) {
      const { status, text } = await send({ path: `/models/detail/${name}` });
      expect({ name, status, found: JSON.parse(text).name }).toEqual({ name, status: 200, found: "acme/Whole" });
    }
  });

  it("is alive and ready, and reports its version, and its commit where that is known", async () => {
    const { commit = "0".repeat(40), ...health } = JSON.parse((await send({ path: "/healthz" })).text);
    expect(health).toEqual({ status: "ok", version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
    expect(JSON.parse((await send({ path: "/readyz" })).text)).toEqual({ status: "ready" });
  });
});
