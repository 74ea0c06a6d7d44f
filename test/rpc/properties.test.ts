import { create, toBinary, toJson } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InventoryService } from "../../gen/modelscout/v1/inventory_pb.ts";
import {
  RecommendationService,
  RecommendRequestSchema,
  RecommendResponseSchema,
} from "../../gen/modelscout/v1/recommendation_pb.ts";
import { hardwareClasses } from "../../src/hardware/index.ts";
import { taskTypes } from "../../src/inventory/facts/task-types.ts";
import { knownLicenses, licenseWords } from "../../src/inventory/licenses/licenses.ts";
import { priorities, wishKinds } from "../../src/recommend/understand/wishes/wish.ts";
import { connectError } from "../support/clients/connect-json.ts";
import { grpcJsClient } from "../support/clients/grpc-js.ts";
import { type HttpAnswer, sendHttp1 } from "../support/clients/http.ts";
import { ReceivedError } from "../support/clients/received-error.ts";
import { restError } from "../support/clients/rest.ts";
import { startApp } from "../support/service/start-app.ts";

const { url } = await startApp();
const grpc = grpcJsClient(url);
const paths = { rest: "/models/recommend", connect: "/modelscout.v1.RecommendationService/Recommend" };

const post = (path: string, body: string): Promise<HttpAnswer> =>
  sendHttp1(url, { method: "POST", path, headers: { "content-type": "application/json" }, body });

const words = fc.constantFrom(
  "transcribe",
  "meetings",
  "small",
  "chatbot",
  "German",
  "photos",
  "under 2 GB",
  "laptop",
  "commercial",
  "🦜",
  "'; DROP TABLE models; --",
  "C++",
  "\n",
  "%",
  "\\",
);
const need = fc.record(
  {
    description: fc
      .array(fc.oneof({ weight: 4, arbitrary: words }, fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 })), {
        minLength: 1,
        maxLength: 12,
      })
      .map((parts) => parts.join(" "))
      .filter((text) => text.trim() !== ""),
    taskType: fc.constantFrom(...taskTypes),
    maxSizeGb: fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
    hardware: fc.constantFrom(...Object.keys(hardwareClasses)),
    license: fc.constantFrom(...licenseWords, ...knownLicenses),
    topK: fc.integer({ min: 1, max: 50 }),
    languages: fc.array(fc.constantFrom("en", "de", "zh", "EN", "ja"), { maxLength: 2 }),
    minContextLength: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    ignore: fc.array(fc.constantFrom(...wishKinds, "size:2 GB"), { maxLength: 3 }),
    priority: fc.constantFrom(...priorities),
  },
  { requiredKeys: ["description"] },
);

function timeless(json: object): object {
  return { ...json, query_time_ms: 0, queryTimeMs: 0 };
}

describe("Any need", () => {
  it("is answered alike over REST in both spellings and by query, over Connect and over gRPC", async () => {
    await fc.assert(
      fc.asyncProperty(need, async (fields) => {
        const message = create(RecommendRequestSchema, fields);
        const snake = JSON.stringify(toJson(RecommendRequestSchema, message, { useProtoFieldName: true }));
        const camel = JSON.stringify(toJson(RecommendRequestSchema, message));
        const { description, ...others } = JSON.parse(snake) as Record<string, string | string[]>;
        const query = new URLSearchParams({ q: description as string });
        for (const [name, value] of Object.entries(others)) {
          for (const one of [value].flat()) {
            query.append(name, one);
          }
        }
        const answers = await Promise.all([
          post(paths.rest, snake),
          post(paths.rest, camel),
          sendHttp1(url, { path: `/models/recommend?${query}` }),
        ]);
        for (const { status } of answers) {
          expect(status).toBe(200);
        }
        const [first, ...same] = answers.map(({ text }) => timeless(JSON.parse(text)));
        for (const other of same) {
          expect(other).toEqual(first);
        }

        const called = await grpc.call(RecommendationService.method.recommend, fields);
        const json = { useProtoFieldName: true, alwaysEmitImplicit: true };
        expect(timeless(toJson(RecommendResponseSchema, called, json) as object)).toEqual(first);
        const connect = timeless(JSON.parse((await post(paths.connect, camel)).text));
        expect(connect).toEqual(
          timeless(toJson(RecommendResponseSchema, called, { alwaysEmitImplicit: true }) as object),
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe("Any JSON", () => {
  const names = fc.constantFrom(
    "description",
    "task_type",
    "taskType",
    "max_size_gb",
    "maxSizeGb",
    "hardware",
    "license",
    "top_k",
    "topK",
    "languages",
    "min_context_length",
    "ignore",
    "priority",
    "top-k",
    "Description",
    "__proto__",
    "",
  );
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom("cpu", "mit", "text-gen", 1, 5, 0, -1, 1.5, "5", "NaN", ["en"], ["x"], null),
  );
  const body = fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .array(fc.tuple(names, anything), { maxLength: 8 })
        .map((entries) => `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`).join(",")}}`),
    },
    fc.json({ maxDepth: 3 }),
    fc.string({ unit: "binary", maxLength: 40 }),
  );

  it("gets the same answer, or the same violations, over REST and over Connect", async () => {
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const [rest, connect] = await Promise.all([post(paths.rest, text), post(paths.connect, text)]);
        expect([200, 400]).toContain(rest.status);
        expect(connect.status).toBe(rest.status);
        if (rest.status === 200) {
          return;
        }
        const [received, same] = [restError(rest), connectError(connect)];
        expect({ code: same.code, message: same.message, details: same.details }).toEqual({
          code: received.code,
          message: received.message,
          details: received.details,
        });
        expect(received.violations.length).toBeGreaterThan(0);
        expect(new Set(received.violations).size).toBe(received.violations.length);
      }),
      { numRuns: 300 },
    );
  });
});

describe("Any name", () => {
  const strange = fc.constantFrom(
    "",
    " ",
    ".",
    "..",
    "../..",
    "a/b",
    "a/b/c",
    "/",
    "//",
    "\0",
    "a\0b",
    "'",
    "''",
    "' OR '1'='1",
    "'; DROP TABLE models; --",
    '"',
    "\\",
    "%",
    "%%",
    "%2F",
    "%00",
    "_",
    "*",
    "?",
    "#",
    ":",
    "a:b",
    "🦜",
    "👩‍👩‍👧",
    "é",
    "e\u0301",
    "\u202e",
    "\ufeff",
    "İ",
    "ß",
    "ﬁ",
    "x".repeat(300),
    "constructor",
    "__proto__",
    "NULL",
    "true",
    "array_has",
    "\r\nx: y",
  );
  const name = fc.oneof(
    { weight: 2, arbitrary: strange },
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.string({ unit: "grapheme", maxLength: 20 }),
  );

  it("in a path or a message gets an error: not found, or invalid", async () => {
    await fc.assert(
      fc.asyncProperty(name, async (text) => {
        const escaped = encodeURIComponent(text.toWellFormed());
        for (const path of [
          `/models/family/${escaped}`,
          `/models/task/${escaped}`,
          `/models/detail/${escaped}`,
          `/models/detail/${escaped}/${escaped}`,
        ]) {
          const answer = await sendHttp1(url, { path });
          if (answer.status === 200) {
            continue;
          }
          expect([400, 404]).toContain(answer.status);
          expect(restError(answer).details.ErrorInfo?.reason).toMatch(
            /^(?:INVALID_REQUEST|MALFORMED_REQUEST|(?:FAMILY|TASK|MODEL|PATH)_NOT_FOUND)$/,
          );
        }
        const answers = await Promise.allSettled([
          grpc.call(InventoryService.method.listFamilyModels, { family: text }),
          grpc.call(InventoryService.method.listTaskModels, { task: text }),
          grpc.call(InventoryService.method.getModel, { modelName: text }),
          grpc.call(InventoryService.method.estimateHardware, { modelName: text }),
          grpc.call(InventoryService.method.estimateHardware, {
            parameters: 1e9,
            quantization: text,
            engine: text,
            hardware: { cpuName: text },
          }),
          grpc.call(InventoryService.method.estimateHardware, { parameters: 1e9, hardware: { gpuName: text } }),
        ]);
        for (const answer of answers) {
          if (answer.status === "rejected") {
            expect(answer.reason.code).toMatch(/^(?:INVALID_ARGUMENT|NOT_FOUND)$/);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it("as a raw path never breaks the service, whatever its bytes", async () => {
    const visible = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          "/",
          "/models/",
          "/models/family/",
          "/models/detail/",
          "/models/recommend?",
          "/modelscout.v1.InventoryService/GetModel?",
        ),
        visible,
        async (prefix, rest) => {
          const { status } = await sendHttp1(url, { path: prefix + rest });
          expect(status).toBeLessThan(500);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("Any description", () => {
  it("is answered, or refused with its violations", async () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.string({ unit: "grapheme", maxLength: 200 }),
      fc.constantFrom(
        "\0",
        "a\0b",
        "-",
        "AND",
        "OR NOT",
        '"unbalanced',
        "a:b^2~3*",
        "(((",
        "\\",
        "x ".repeat(999),
        "🦜".repeat(2_000),
        "ا".repeat(2_000),
      ),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (description) => {
        const answer = await grpc
          .call(RecommendationService.method.recommend, { description })
          .catch((error: unknown) => error);
        if (answer instanceof ReceivedError) {
          expect({ code: answer.code, fields: answer.fields }).toEqual({
            code: "INVALID_ARGUMENT",
            fields: ["description"],
          });
        } else {
          expect(toBinary(RecommendResponseSchema, answer as never).byteLength).toBeGreaterThan(0);
        }
      }),
      { numRuns: 200 },
    );
  });
});
