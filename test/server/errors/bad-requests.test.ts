import { describe, expect, it } from "vitest";
import { connectError } from "../../support/clients/connect-json.ts";
import { type HttpRequest, h2Client, sendHttp1 } from "../../support/clients/http.ts";
import type { ReceivedError } from "../../support/clients/received-error.ts";
import { restError } from "../../support/clients/rest.ts";
import { startApp } from "../../support/service/start-app.ts";

const { url } = await startApp({ records: [{ name: "acme/one", task_types: ["text-generation"], license: "mit" }] });

const jsonType = { "content-type": "application/json" };

/** The two ways to send JSON, each with the path of a method and the reader of its errors. */
const ways = [
  {
    name: "REST",
    path: { recommend: "/models/recommend", estimate: "/models/estimate", batch: "/models/recommend:batch" },
    read: restError,
  },
  {
    name: "Connect JSON",
    path: {
      recommend: "/modelscout.v1.RecommendationService/Recommend",
      estimate: "/modelscout.v1.InventoryService/EstimateHardware",
      batch: "/modelscout.v1.RecommendationService/BatchRecommend",
    },
    read: connectError,
  },
] as const;

const integer = "expected an integer from -2147483648 to 2147483647";
const required = "is required: say in plain English what the model is needed for";

/** Bodies as they are sent, with every violation that must be told, in any order. */
const badBodies: ReadonlyArray<[what: string, body: string | Uint8Array, violations: Array<string | RegExp>]> = [
  ["a number as the description", '{"description":5}', ["description: expected a string"]],
  ["null as the description", '{"description":null}', [`description: ${required}`]],
  ["a list as the description", '{"description":["x"]}', ["description: expected a string"]],
  ["top_k 1.5", '{"description":"x","top_k":1.5}', [`top_k: ${integer}`]],
  ['top_k "five"', '{"description":"x","top_k":"five"}', [`top_k: ${integer}`]],
  ["top_k true", '{"description":"x","topK":true}', [`topK: ${integer}`]],
  ["top_k beyond 32 bits", '{"description":"x","top_k":4294967297}', [`top_k: ${integer}`]],
  ["top_k of thirty digits", '{"description":"x","top_k":100000000000000000000000000005}', [`top_k: ${integer}`]],
  ['top_k ""', '{"description":"x","top_k":""}', [`top_k: ${integer}`]],
  ["max_size_gb 1e400", '{"description":"x","max_size_gb":1e400}', ["max_size_gb: expected a number"]],
  ['max_size_gb "1e400"', '{"description":"x","max_size_gb":"1e400"}', ["max_size_gb: expected a number"]],
  ['max_size_gb "NaN"', '{"description":"x","max_size_gb":"NaN"}', ["max_size_gb: expected a number"]],
  ['max_size_gb "-Infinity"', '{"description":"x","maxSizeGb":"-Infinity"}', ["maxSizeGb: expected a number"]],
  ['max_size_gb "2 GB"', '{"description":"x","max_size_gb":"2 GB"}', ["max_size_gb: expected a number"]],
  ["a word where a list belongs", '{"description":"x","languages":"en"}', ["languages: expected a list"]],
  [
    "a number in a list of words",
    '{"description":"x","languages":["en",1,null]}',
    ["languages[1]: expected a string", /^languages\[2\]: expected/],
  ],
  ["an object as the task type", '{"description":"x","task_type":{"a":1}}', ["task_type: expected a string"]],
  [
    "an unknown field",
    '{"description":"x","max_size":2}',
    ["max_size: unknown field `max_size`; did you mean `max_size_gb`?"],
  ],
  [
    "an unknown field in lowerCamelCase",
    '{"description":"x","maxSizeGB":2}',
    [/^maxSizeGB: unknown field `maxSizeGB`; did you mean `maxSizeGb`/],
  ],
  [
    "an unknown field like nothing",
    '{"description":"x","zzzzzzzzzzzz":2}',
    ["zzzzzzzzzzzz: unknown field `zzzzzzzzzzzz`"],
  ],
  [
    "an object's own names",
    '{"description":"x","__proto__":{"top_k":1},"constructor":1,"toString":2}',
    [/^__proto__: unknown field/, /^constructor: unknown field/, /^toString: unknown field/],
  ],
  ["a field twice", '{"description":"x","description":"y"}', ["description: set more than once"]],
  ["a field in both spellings", '{"description":"x","top_k":5,"topK":5}', ["topK: also set as `top_k`"]],
  [
    "an unknown field, a wrong type and bad values",
    '{"descripton":"x","top_k":"five","max_size_gb":-1,"hardware":"tpu","license":7}',
    [
      "descripton: unknown field `descripton`; did you mean `description`?",
      `top_k: ${integer}`,
      "license: expected a string",
      `description: ${required}`,
      /^max_size_gb: is -1; must be/,
      /^hardware: is "tpu"; must be one of cpu/,
    ],
  ],
  ["a list", "[]", [/^: expected an object$/]],
  ["a string", '"x"', [/^: expected an object$/]],
  ["null", "null", [/^: expected an object$/]],
  ["nothing", "", [`description: ${required}`]],
  ["an empty object", "{}", [`description: ${required}`]],
  ["blanks", " \n", [/^: expected a JSON body/]],
  ["truncated JSON", '{"description":"x"', [/^: expected a JSON body/]],
  ["a trailing comma", '{"description":"x",}', [/^: expected a JSON body/]],
  ["single quotes", "{'description':'x'}", [/^: expected a JSON body/]],
  ["bare NaN", '{"description":"x","max_size_gb":NaN}', [/^: expected a JSON body/]],
  ["two objects", '{"description":"x"}{"description":"x"}', [/^: expected a JSON body/]],
  ["a control character in a string", '{"description":"a\u0001b"}', [/^: expected a JSON body/]],
  ["invalid UTF-8", Buffer.from('{"description":"\xff\xfe"}', "latin1"), [/^: expected a body in UTF-8/]],
  ["UTF-16", Buffer.from('{"description":"x"}', "utf16le"), [/^: expected a (?:JSON body|body in UTF-8)/]],
  ["fifty thousand brackets", "[".repeat(50_000), [/: expected at most 100 levels$/]],
  ["a form", "description=x", [/^: expected a JSON body/]],
];

const badEstimates: ReadonlyArray<[what: string, body: string, violations: Array<string | RegExp>]> = [
  [
    "an unknown field inside",
    '{"model_name":"x","hardware":{"gpu":"RTX 3060"}}',
    [/^hardware\.gpu: unknown field `gpu`; did you mean/],
  ],
  [
    "wrong values everywhere, under the names that were sent",
    '{"contextLength":0,"prompt_tokens":-1,"hardware":{"gpuCount":99,"memory_gb":0}}',
    [
      /^model_name: is required/,
      /^contextLength: must be/,
      /^prompt_tokens: must be/,
      /^hardware\.gpuCount: must be/,
      /^hardware\.memory_gb: must be/,
    ],
  ],
  [
    "a class that is none and a wrong type",
    '{"parameters":"many","hardware":{"class":"tpu"}}',
    [
      /^parameters: expected a number/,
      /^model_name: is required if parameters is absent/,
      /^hardware\.class: "tpu" is not a hardware class/,
    ],
  ],
  ["hardware that is no object", '{"parameters":1e9,"hardware":"cpu"}', ["hardware: expected an object"]],
];

const badBatches: ReadonlyArray<[what: string, body: string, violations: Array<string | RegExp>]> = [
  ["an object as the list", '{"requests":{}}', ["requests: expected a list"]],
  [
    "faults deep inside",
    '{"requests":[{"description":"x"},{"description":"x","topk":1},{"description":4}]}',
    [
      /^requests\[1\]\.topk: unknown field `topk`; did you mean `top_?[kK]`/,
      "requests[2].description: expected a string",
    ],
  ],
];

describe.each(ways)("$name refuses", ({ path, read }) => {
  const send = (target: string, body: string | Uint8Array) =>
    sendHttp1(url, { method: "POST", path: target, headers: jsonType, body });

  it.each(badBodies)("a need with %s", async (_what, body, violations) => {
    const answer = await send(path.recommend, body);
    expect(answer.status).toBe(400);
    expectViolations(read(answer), violations);
  });

  it.each(badEstimates)("an estimate with %s", async (_what, body, violations) => {
    expectViolations(read(await send(path.estimate, body)), violations);
  });

  it.each(badBatches)("a batch with %s", async (_what, body, violations) => {
    expectViolations(read(await send(path.batch, body)), violations);
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/xml",
    "multipart/form-data; boundary=x",
    "text/json5",
    "json",
  ])("a body of type %s", async (type) => {
    const answer = await sendHttp1(url, {
      method: "POST",
      path: path.recommend,
      headers: { "content-type": type },
      body: '{"description":"x"}',
    });
    expect(answer.status).toBe(415);
    expect(read(answer)).toMatchObject({
      code: "INVALID_ARGUMENT",
      details: { ErrorInfo: { reason: "UNSUPPORTED_MEDIA_TYPE", domain: "modelscout" } },
    });
  });

  it.each(["zip", "gzip, gzip, gzip", "gzip"])("a body that does not match content-encoding %s", async (encoding) => {
    const headers = { ...jsonType, "content-encoding": encoding };
    const answer = await sendHttp1(url, { method: "POST", path: path.recommend, headers, body: '{"description":"x"}' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(read(answer).details.ErrorInfo).toMatchObject({ domain: "modelscout" });
  });
});

/** Request targets as they are sent, with the status and what the error must say. */
const badTargets: ReadonlyArray<[target: string, status: number, received: RegExp]> = [
  ["/models/recommend", 400, /^q: is required/],
  ["/models/recommend?q=", 400, /^q: is required/],
  ["/models/recommend?q=%20%09+", 400, /^q: is required/],
  ["/models/recommend?q=x&q=y", 400, /^q: set more than once/],
  ["/models/recommend?q=x&top_k=1.5", 400, /^top_k: expected an integer/],
  ["/models/recommend?q=x&top_k=five", 400, /^top_k: expected an integer/],
  ["/models/recommend?q=x&top_k=%35%31", 400, /^top_k: is 51/],
  ["/models/recommend?q=x&top_k=", 400, /^top_k: expected an integer/],
  ["/models/recommend?q=x&top_k=5&topK=5", 400, /^topK: also set as `top_k`/],
  ["/models/recommend?q=x&max_size_gb=NaN", 400, /^max_size_gb: expected a number/],
  ["/models/recommend?q=x&max_size_gb=1e400", 400, /^max_size_gb: expected a number/],
  ["/models/recommend?q=x&max_size_gb=0x10", 400, /^max_size_gb: expected a number/],
  ["/models/recommend?q=x&maxSizeGb=0", 400, /^maxSizeGb: is 0/],
  ["/models/recommend?query=x", 400, /query: unknown query parameter `query`.*q: is required/],
  [
    "/models/recommend?q=x&licence=mit&hardware=tpu",
    400,
    /licence: unknown query parameter `licence`; did you mean `license`\?.*hardware: is "tpu"/,
  ],
  ["/models/recommend?q=%ZZ", 400, /q: expected percent-encoded UTF-8/],
  ["/models/recommend?q=%FF%FE", 400, /q: expected percent-encoded UTF-8/],
  ["/models/recommend?q=x%", 400, /q: expected percent-encoded UTF-8/],
  ["/models/family/%ZZ", 400, /is not a valid url component/],
  ["/models/family/%C0%AF", 400, /is not a valid url component/],
  ["/models/detail/%E0%A4%A", 400, /is not a valid url component/],
  ["/models/detail/a/%ZZ", 400, /is not a valid url component/],
  ["/models/family/qwen?page_size=-1&page_token=x", 400, /page_size: is -1.*page_token: is not/],
  ["/models/family/qwen?page=2", 400, /page: unknown query parameter `page`/],
  ["/models/family/qwen?family=llama", 400, /family/],
  ["/models/families?all=1", 400, /all: unknown query parameter/],
  ["/models/family/%20", 400, /^family: is required/],
];

describe.each<[string, (request: HttpRequest) => ReturnType<typeof sendHttp1>]>([
  ["HTTP/1.1", (request) => sendHttp1(url, request)],
  ["h2c", h2Client(url)],
])("Over %s", (_version, send) => {
  it.each(badTargets)("GET %s is answered with %i", async (path, status, received) => {
    const answer = await send({ path });
    const error = restError(answer);
    expect({ status: answer.status, code: error.code }).toEqual({ status, code: "INVALID_ARGUMENT" });
    expect(error.message).toMatch(received);
    expect(error.details.ErrorInfo).toMatchObject({
      domain: "modelscout",
      reason: expect.stringMatching(/^(?:INVALID|MALFORMED)_REQUEST$/),
    });
  });

  it("a GET with a body gets an error that says so", async () => {
    const answer = await send({ path: "/models/recommend?q=x", headers: jsonType, body: '{"top_k":1}' });
    expect(answer.status).toBe(400);
    expect(restError(answer).violations).toEqual([": expected no request body"]);
  });
});

describe("A header that is too large", () => {
  it("gets an error of the same form", async () => {
    const answer = await sendHttp1(url, { path: "/models/families", headers: { "x-large": "x".repeat(60_000) } });
    expect(answer.status).toBe(431);
    expect(restError(answer)).toMatchObject({
      code: "INVALID_ARGUMENT",
      details: { ErrorInfo: { reason: "MALFORMED_REQUEST" } },
    });
  });
});

function expectViolations(error: ReceivedError, expected: ReadonlyArray<string | RegExp>): void {
  expect({ code: error.code, info: error.details.ErrorInfo }).toEqual({
    code: "INVALID_ARGUMENT",
    info: { reason: "INVALID_REQUEST", domain: "modelscout" },
  });
  const matchers = expected.map((one) => (one instanceof RegExp ? expect.stringMatching(one) : one));
  expect(error.violations).toEqual(expect.arrayContaining(matchers));
  expect(error.violations).toHaveLength(expected.length);
}
