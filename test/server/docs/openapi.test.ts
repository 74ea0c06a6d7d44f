import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { newApiKey } from "../../../src/access/api-key.ts";
import { createApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/config/config.ts";
import { withWriteLock } from "../../../src/inventory/locks.ts";
import type { OpenApiDocument, Operation } from "../../../src/openapi/index.ts";
import { fieldRules } from "../../../src/server/docs/field-rules.ts";
import { type HttpAnswer, type HttpRequest, sendHttp1 } from "../../support/clients/http.ts";
import { documentValidator } from "../../support/documents/document-validator.ts";
import {
  type DocumentedRequest,
  documentedRequests,
  operationsOf,
} from "../../support/documents/documented-requests.ts";
import { createKey } from "../../support/service/create-key.ts";
import { keyHeader, useKey } from "../../support/service/keys.ts";
import { startApp } from "../../support/service/start-app.ts";
import { withResources } from "../../support/with-resources.ts";
import { valuesOf } from "./support/values-of.ts";

/** In the form of a key, and no key of the service. */
const { key: unknownKey } = newApiKey();

const { url } = await startApp({
  env: { MODELSCOUT_BATCHES_PER_OWNER: "1000", MODELSCOUT_WEBHOOKS_PER_OWNER: "1000" },
});
const answered = await sendHttp1(url, { path: "/openapi.json" });
const document: OpenApiDocument = JSON.parse(answered.text);
const operations = operationsOf(document);
const requests = documentedRequests(document);
const validator = documentValidator(document);

describe("/openapi.json", () => {
  it("is an OpenAPI 3.1 document by an independent validator", async () => {
    const result = await new Validator().validate(JSON.parse(answered.text));
    expect(result).toEqual({ valid: true });
    expect(document.openapi).toBe("3.1.0");
  });

  it("is answered again only when it changed", async () => {
    const { headers, status } = answered;
    expect({ status, type: headers["content-type"] }).toEqual({ status: 200, type: "application/json" });
    const etag = String(headers.etag);
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const given of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await sendHttp1(url, { path: "/openapi.json", headers: { "if-none-match": given } });
      expect({ given, status: again.status, text: again.text, etag: again.headers.etag }).toEqual({
        given,
        status: 304,
        text: "",
        etag,
      });
    }
    const other = await sendHttp1(url, { path: "/openapi.json", headers: { "if-none-match": '"other"' } });
    expect({ status: other.status, text: other.text }).toEqual({ status: 200, text: answered.text });
    expect((await sendHttp1(url, { method: "POST", path: "/openapi.json" })).status).toBe(405);
  });

  it("has every documented path", () => {
    const received = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    expect(received).toEqual(
      expect.arrayContaining([
        "POST /models/recommend",
        "GET /models/recommend",
        "POST /models/recommend:batch",
        "GET /models/usage",
        "GET /models/families",
        "GET /models/tasks",
        "GET /models/family/{family}",
        "GET /models/task/{task}",
        "GET /models/detail/{model_name}",
        "GET /models/detail/{owner}/{model}",
        "POST /models/estimate",
        "GET /healthz",
        "GET /readyz",
        "GET /openapi.json",
      ]),
    );
  });

  it("describes every operation, parameter, field and error", () => {
    const silent: string[] = [];
    for (const { operation } of operations) {
      if (!operation.summary) {
        silent.push(operation.operationId);
      }
      for (const { name, description } of operation.parameters ?? []) {
        if (!description) {
          silent.push(`${operation.operationId} ${name}`);
        }
      }
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      // What Google's messages hold inside comes without comments.
      if (!schema.description && !schema.oneOf && !/\.|^LocalizedMessage$/.test(name)) {
        silent.push(name);
      }
    }
    expect(silent).toEqual([]);
    expect(document.components.schemas.Error?.description).toContain("| 400 | `INVALID_REQUEST` |");
  });

  it("names every operation once, with its method in gRPC", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operation } of operations) {
      if (path.startsWith("/models/")) {
        expect(operation["x-rpc"]).toMatch(/^modelscout\.v1\.\w+Service\/\w+$/);
      }
    }
  });

  it("shows an example of every request", () => {
    const without = operations.filter(
      ({ operation }) => operation.requestBody !== undefined && !requests.some((r) => r.operation === operation),
    );
    expect(
      without.map(({ operation }) => operation.operationId),
      "operations without an example in src/server/docs/request-examples.ts",
    ).toEqual([]);
    const parameters = operations.flatMap(({ operation }) =>
      (operation.parameters ?? [])
        .filter(({ required, example }) => required === true && example === undefined)
        .map(({ name }) => `${operation.operationId} ${name}`),
    );
    expect(parameters, "required parameters without an example in src/server/docs/field-rules.ts").toEqual([]);
  });
});

describe("The examples", () => {
  it("keep the document's own schemas", () => {
    const wrong: string[] = [];
    const check = (place: string[], content: Readonly<Record<string, { examples?: object }>> = {}) => {
      for (const [type, { examples = {} }] of Object.entries(content)) {
        for (const [name, { value }] of Object.entries(examples)) {
          const faults = validator.faults([...place, "content", type, "schema"], value);
          wrong.push(...faults.map((fault) => `${place.join(" ")} ${name}: ${fault}`));
        }
      }
    };
    for (const { path, method, operation } of operations) {
      check(["paths", path, method, "requestBody"], operation.requestBody?.content);
      for (const [status, response] of Object.entries(operation.responses)) {
        if ("content" in response) {
          check(["paths", path, method, "responses", status], response.content);
        }
      }
      for (const [i, { name, example }] of (operation.parameters ?? []).entries()) {
        if (example === undefined) {
          continue;
        }
        const faults = validator.faults(["paths", path, method, "parameters", String(i), "schema"], example);
        wrong.push(...faults.map((fault) => `${operation.operationId} ${name}: ${fault}`));
      }
    }
    for (const [name, { content }] of Object.entries(document.components.responses ?? {})) {
      check(["components", "responses", name], content);
    }
    expect(wrong).toEqual([]);
  });

  it("of errors have the status of their answer", () => {
    const { NotFound, TooManyRequests } = document.components.responses ?? {};
    const { MODEL_NOT_FOUND } = NotFound?.content?.["application/json"]?.examples ?? {};
    expect(MODEL_NOT_FOUND?.value).toMatchObject({
      error: {
        code: 404,
        status: "NOT_FOUND",
        details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "MODEL_NOT_FOUND" }, {}],
      },
    });
    expect(TooManyRequests?.content?.["application/json"]?.examples).toHaveProperty("QUOTA_EXHAUSTED");
  });

  it.each(requests.map((each): [string, DocumentedRequest] => [each.name, each]))(
    "%s is answered as the document says",
    async (_name, { operation, request }) => {
      const sent = await withResources(url, requests, request);
      const answer = isStream(operation) ? await firstLine(url, sent) : await sendHttp1(url, sent);
      expect({ status: answer.status, text: answer.status === 200 ? "" : answer.text }).toEqual({
        status: 200,
        text: "",
      });
      const { path } = operations.find((each) => each.operation === operation)!;
      if (path !== "/openapi.json") {
        expect(validator.answerFaults(path, request.method, answer)).toEqual([]);
      }
    },
  );
});

describe("Error answers", () => {
  /** What can be wrong with a request whatever its operation, each with what is sent for it. */
  const faults: Array<{ name: string; of: (r: DocumentedRequest) => HttpRequest | undefined; status: number }> = [
    { name: "an unknown parameter", of: ({ request }) => withQuery(request, "nosuch=1"), status: 400 },
    {
      name: "an unknown name",
      of: ({ operation, request }) => {
        const { path } = operations.find((each) => each.operation === operation)!;
        return path.includes("{") ? { ...request, path: path.replace(/\{\w+\}/g, "zzqx") } : undefined;
      },
      status: 404,
    },
    {
      name: "a body of another type",
      of: ({ request }) => (request.body ? { ...request, headers: { "content-type": "text/plain" } } : undefined),
      status: 415,
    },
    {
      name: "a body that is cut",
      of: ({ request }) => (request.body ? { ...request, body: String(request.body).slice(0, -1) } : undefined),
      status: 400,
    },
    {
      name: "a body that is too large",
      of: ({ request }) =>
        request.body ? { ...request, body: " ".repeat(mostBytes(request)) + request.body } : undefined,
      status: 413,
    },
    { name: "an unknown key", of: ({ request }) => withHeader(request, "x-api-key", unknownKey), status: 401 },
    { name: "an empty key", of: ({ request }) => withHeader(request, "x-api-key", ""), status: 401 },
    {
      name: "a Host that is not this computer",
      of: ({ request }) => withHeader(request, "host", "models.example"),
      status: 403,
    },
  ];
  const cases = requests
    .filter(({ operation }) => operation["x-rpc"] !== undefined)
    .flatMap((each) =>
      faults.flatMap(({ name, of, status }): Array<[string, DocumentedRequest, HttpRequest, number]> => {
        const request = of(each);
        return request === undefined ? [] : [[`${each.name}, ${name}`, each, request, status]];
      }),
    );

  it.each(cases)("%s: as the document says", async (_name, { operation }, request, status) => {
    const answer = await sendHttp1(url, request);
    expect({ status: answer.status, text: answer.status === status ? "" : answer.text }).toEqual({ status, text: "" });
    const { path, method } = operations.find((each) => each.operation === operation)!;
    expect(validator.answerFaults(path, method, answer)).toEqual([]);
  });

  it("of callers without a key: as the document says", async () => {
    const free = await startApp({
      records: [{ name: "openai/whisper-tiny", task_types: ["automatic-speech-recognition"] }],
      isUnlimited: false,
      env: { MODELSCOUT_FREE_PER_DAY: "1" },
    });
    const statuses = new Map<string, number[]>();
    for (const each of [...requests, ...requests]) {
      const { operation, request } = each;
      const { path, method } = operations.find((known) => known.operation === operation)!;
      if (operation["x-rpc"] === undefined) {
        continue;
      }
      const answer = await sendHttp1(free.url, request);
      expect({ name: each.name, faults: validator.answerFaults(path, method, answer) }).toEqual({
        name: each.name,
        faults: [],
      });
      statuses.set(path, [...(statuses.get(path) ?? []), answer.status]);
    }
    expect(statuses.get("/models/recommend")).toEqual([200, 429, 429, 429, 429, 429]);
    expect(statuses.get("/models/recommend:batch")).toEqual([403, 403]);
  });

  it("of a service that is not ready: as the document says", async () => {
    await withWaiting(async (waiting) => {
      const usage = async () => (await sendHttp1(waiting, { path: "/models/usage" })).status;
      await expect.poll(usage, { timeout: 30_000 }).toBe(200);
      for (const { operation, request } of requests) {
        // This service has no key.
        if (needsKey(operation)) {
          continue;
        }
        const answer = await sendHttp1(waiting, request);
        const { path, method } = operations.find((each) => each.operation === operation)!;
        const isUnready = !["/models/usage", "/healthz", "/openapi.json"].includes(path);
        expect({ path, status: answer.status }).toEqual({ path, status: isUnready ? 503 : 200 });
        if (isUnready) {
          expect(validator.answerFaults(path, method, answer), path).toEqual([]);
        }
      }
    });
  });
});

describe("The document on single operations", () => {
  const operationOf = (id: string) => operations.find(({ operation }) => operation.operationId === id)?.operation;
  const requiredIn = (id: string) => operationOf(id)?.requestBody?.content["application/json"]?.schema?.required;

  it.each(["listMatches", "watchMatches", "createInterest", "createWebhook"])("has a 404 for %s", (id) => {
    expect(operationOf(id)?.responses).toHaveProperty("404");
  });

  it("requires the fields of a body that the service requires", () => {
    expect(requiredIn("previewUnsavedInterest")).toEqual(["description"]);
    for (const id of ["updateInterest", "updateWebhook"]) {
      expect(operationOf(id)?.requestBody?.content["application/json"]?.schema).toHaveProperty("properties");
      expect(requiredIn(id)).toBeUndefined();
    }
  });

  it("has no empty names in paths", () => {
    const inPaths = operations
      .flatMap(({ operation }) => operation.parameters ?? [])
      .filter((each) => each.in === "path");
    expect(inPaths.length).toBeGreaterThan(10);
    for (const { name, schema } of inPaths) {
      expect({ name, ...schema }).toMatchObject({ minLength: 1 });
    }
  });
});

describe("The document on values", () => {
  it("has a field for every rule", () => {
    const schemas = document.components.schemas;
    for (const key of Object.keys(fieldRules([]))) {
      const [message, field] = [key.split(".").slice(2, -1).join("."), key.split(".").at(-1)!];
      const inBodies = [`${message}Input`, message].flatMap((name) =>
        Object.keys((schemas[name]?.properties ?? {}) as object),
      );
      // What no body is made of is in paths and queries.
      const names =
        inBodies.length === 0
          ? operations.flatMap(({ operation }) => (operation.parameters ?? []).map(({ name }) => name))
          : inBodies;
      // GetModel's name is two segments in one of its paths and whole in the other.
      expect({ key, names }).toEqual({ key, names: expect.arrayContaining([field]) });
    }
  });

  const first = requests.filter((each, i) => requests.findIndex(({ operation }) => operation === each.operation) === i);
  const values = first.flatMap((each) => valuesOf(document, each));

  it("covers all values that can have bounds", () => {
    expect(values.length).toBeGreaterThan(100);
  });

  it("matches the values that the service accepts and refuses", async () => {
    for (const { name, field, request, isTaken } of values) {
      const { status, text } = await sendHttp1(url, await withResources(url, requests, request));
      const refused: string[] = status === 400 ? violatedFields(text) : [];
      expect({ name, isTaken: !refused.includes(field), status: status === 400 || status === 200 }).toEqual({
        name,
        isTaken,
        status: true,
      });
    }
  });
});

/** Works with a service that cannot fill its inventory meanwhile, because another holds the write lock. */
async function withWaiting(work: (url: string) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "modelscout-waiting-"));
  const { config } = readConfig({ PORT: "0", LOG_LEVEL: "silent", MODELSCOUT_HOME: home });
  const app = await createApp(config);
  try {
    // Batches are for Pro callers.
    const key = await createKey(config, { tier: "pro" });
    await withWriteLock(home, async () => {
      const { url } = await app.listen();
      useKey(url, key);
      await work(url);
    });
  } finally {
    await app.close({ force: true });
    rmSync(home, { recursive: true, force: true });
  }
}

/** More than most operations take, and than a batch of needs takes. */
function mostBytes({ path }: HttpRequest): number {
  return (path === "/models/batches" ? 32 : 1) * 1024 * 1024;
}

function isStream({ responses }: Operation): boolean {
  const { "200": ok } = responses;
  return ok !== undefined && "content" in ok && ok.content !== undefined && "application/x-ndjson" in ok.content;
}

/** The answer of a stream with its first line alone: some have no end. */
async function firstLine(baseUrl: string, { path, headers }: HttpRequest): Promise<HttpAnswer> {
  const leaving = new AbortController();
  const answer = await fetch(baseUrl + path, {
    headers: { ...keyHeader(baseUrl), ...headers },
    signal: leaving.signal,
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n")) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) {
      break;
    }
    text += value;
  }
  leaving.abort();
  const [line = ""] = text.split("\n");
  const { status } = answer;
  return { status, headers: Object.fromEntries(answer.headers), text: line, bytes: Buffer.from(line) };
}

function withHeader(request: HttpRequest, name: string, value: string): HttpRequest {
  return { ...request, headers: { ...request.headers, [name]: value } };
}

function needsKey({ security = [{}] }: Operation): boolean {
  return security.every((way) => Object.keys(way).length > 0);
}

function withQuery(request: HttpRequest, query: string): HttpRequest {
  return { ...request, path: `${request.path}${request.path.includes("?") ? "&" : "?"}${query}` };
}

function violatedFields(text: string): string[] {
  const { details } = JSON.parse(text).error as { details: Array<{ field_violations?: Array<{ field: string }> }> };
  return details.flatMap((detail) => (detail.field_violations ?? []).map(({ field }) => field));
}
