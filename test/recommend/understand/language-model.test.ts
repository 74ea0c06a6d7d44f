import dns from "node:dns";
import { once } from "node:events";
import { createServer } from "node:https";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openNeedReader } from "../../../src/app/need-reader.ts";
import {
  createNeedReader,
  type NeedReaderOptions,
  type ReadingOutcome,
} from "../../../src/recommend/understand/language-model.ts";
import { publicAddressOf } from "../../../src/recommend/understand/language-model-call.ts";
import { understand } from "../../../src/recommend/understand/understand.ts";
import { selfSignedCertificate } from "../../server/listener/support/self-signed-certificate.ts";
import { completion, sends, startLanguageModel } from "../../support/servers/language-model-server.ts";

const model = await startLanguageModel();
const need = "Turn the ramblings of our weekly jour fixe into minutes, on my tired Ideapad, auf Deutsch";
const reading = {
  need: "Summarise meeting transcripts into minutes",
  tasks: [{ task: "summarization", confidence: 0.9 }],
  wishes: [
    { kind: "hardware", value: "laptop", words: "tired Ideapad" },
    { kind: "language", value: "German", words: "auf Deutsch" },
  ],
  confidence: 0.9,
};

beforeEach(() => {
  model.asked = [];
  model.answer = sends(completion(reading));
});

/** A reader with all that it reported. */
function startReader(options: Partial<NeedReaderOptions> = {}) {
  const outcomes: ReadingOutcome[] = [];
  const problems: string[] = [];
  const read = createNeedReader({
    url: model.url,
    model: "test:1b",
    key: "sk-very-secret",
    timeoutMs: 30_000,
    concurrency: 4,
    onDone: (outcome) => outcomes.push(outcome),
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
  return { read, outcomes, problems };
}

/** What the built-in rules read, as the reader marks it. */
function builtIn(description: string) {
  const { tasks, wishes, ...rest } = understand(description);
  const source = "built-in";
  return {
    ...rest,
    tasks: tasks.map((task) => ({ ...task, source })),
    wishes: wishes.map((wish) => ({ ...wish, source })),
  };
}

describe("a good answer", () => {
  it("replaces the tasks, adds the wishes and names the source of each", async () => {
    const { read, outcomes } = startReader();
    const { tasks, wishes, none } = await read(need);
    expect(tasks).toEqual([{ task: "summarization", taskType: "text-gen", confidence: 0.9, source: "language-model" }]);
    expect(wishes).toMatchObject([
      { kind: "hardware", value: "laptop", hardwareClass: "cpu", words: "tired Ideapad", source: "language-model" },
      { kind: "language", value: "de", words: "auf Deutsch", source: "language-model" },
    ]);
    expect(none).toBeLessThanOrEqual(0.1 + 1e-9);
    expect(outcomes).toEqual(["answered"]);
  });

  it("makes a need in another language understood, by words that are not repeated", async () => {
    const german = "Ich brauche etwas, das Rechnungen ausliest";
    expect(understand(german).purposeNone).toBeGreaterThan(0.7);
    model.answer = sends(
      completion({
        need: "Read the fields of invoices",
        tasks: [{ task: "document-question-answering", confidence: 0.9 }],
        wishes: [],
        confidence: 0.9,
      }),
    );
    const { purposes, purposeNone } = await startReader().read(german);
    expect(purposes[0]?.purpose).toBe("document-fields");
    expect(purposeNone).toBeLessThan(0.1);
  });

  it("comes from one request with the need, the schema, the model and the key", async () => {
    await startReader({ url: `${model.url}/` }).read(need);
    const [{ path, headers, body } = { path: "", headers: {}, body: {} }, ...others] = model.asked;
    expect(others).toEqual([]);
    expect(path).toBe("/v1/chat/completions");
    expect(headers).toMatchObject({ authorization: "Bearer sk-very-secret", "content-type": "application/json" });
    expect(body).toMatchObject({ model: "test:1b", temperature: 0, stream: false });
    expect(body.messages.at(-1).content).toContain(need);
    expect(JSON.stringify(body)).not.toContain("sk-very-secret");
    const { schema } = body.response_format.json_schema;
    expect(schema.properties.tasks.items.properties.task.enum).toEqual(
      expect.arrayContaining(["code", "text-generation", "summarization", "automatic-speech-recognition"]),
    );
    expect(schema.properties.wishes.items.properties.kind.enum).toContain("privacy");
  });

  it("takes an address of chat completions as it is, with its query, and sends no key where there is none", async () => {
    await startReader({ url: `${model.url}/chat/completions?version=2`, key: undefined }).read(need);
    expect(model.asked.map(({ path }) => path)).toEqual(["/v1/chat/completions?version=2"]);
    expect(model.asked[0]?.headers).not.toHaveProperty("authorization");
  });

  it("is kept: the same need is asked once, and read the same", async () => {
    const { read, outcomes } = startReader();
    const first = await read(need);
    model.answer = sends("", 500);
    expect(await read(need)).toEqual(first);
    expect(outcomes).toEqual(["answered", "cached"]);
    expect(model.asked).toHaveLength(1);
  });

  it("replaces a wish of a kind that has one, and keeps what both read as the built-in rules read it", async () => {
    const description = "Translate our contracts to French, for commercial use, with a small model on a laptop";
    model.answer = sends(
      completion({
        tasks: [{ task: "translation", confidence: 0.8 }],
        wishes: [
          { kind: "size", value: "under 2 GB", words: "a small model" },
          { kind: "license", value: "commercial", words: "COMMERCIAL use" },
          { kind: "domain", value: "legal", words: "contracts" },
        ],
        confidence: 1,
      }),
    );
    const { wishes } = await startReader().read(description);
    expect(wishes.map(({ kind, value, words, source }) => [kind, value, words, source])).toEqual([
      ["domain", "legal", "contracts", expect.any(String)],
      ["language", "fr", expect.any(String), "built-in"],
      ["license", "commercial", "commercial use", "built-in"],
      ["size", "2 GB", "a small model", "language-model"],
      ["hardware", "laptop", expect.any(String), "built-in"],
    ]);
  });
});

describe("wishes of a kind that has one", () => {
  const description = "Translate letters on my RTX 4090 with 16 GB of RAM, a small model under 9 GB";
  const answer = (...wishes: object[]) =>
    sends(completion({ tasks: [{ task: "translation", confidence: 0.8 }], wishes, confidence: 1 }));
  const hardware = async () => {
    const { wishes } = await startReader().read(description);
    return wishes.filter(({ kind }) => kind === "hardware");
  };

  it("keep the built-in hardware if the other has no class to judge fit and speed on", async () => {
    model.answer = answer({ kind: "hardware", value: "16 GB of RAM", words: "16 GB of RAM" });
    const builtInWish = understand(description).wishes.find(({ kind }) => kind === "hardware");
    expect(builtInWish).toMatchObject({ hardwareClass: "gpu-24gb" });
    expect(await hardware()).toEqual([{ ...builtInWish, source: "built-in" }]);
  });

  it("are taken once, hardware with a class before hardware without", async () => {
    model.answer = answer(
      { kind: "hardware", value: "16 GB of RAM", words: "16 GB of RAM" },
      { kind: "hardware", value: "laptop", words: "my" },
      { kind: "hardware", value: "phone", words: "with" },
      { kind: "size", value: "under 2 GB", words: "a small model" },
      { kind: "size", value: "under 9 GB", words: "under 9 GB" },
    );
    const { wishes } = await startReader().read(description);
    const single = wishes.filter(({ kind }) => kind === "hardware" || kind === "size");
    expect(single.map(({ kind, value }) => [kind, value])).toEqual([
      ["hardware", "laptop"],
      ["size", "2 GB"],
    ]);
  });
});

describe("the built-in reading is taken", () => {
  const valid = completion(reading);
  it.each<[string, ReadingOutcome, string | Buffer, number?, Record<string, string>?]>([
    ["a model that is unsure", "unsure", completion({ ...reading, confidence: 0.3 })],
    ["a model that sees no task", "unsure", completion({ ...reading, tasks: [] })],
    [
      "a task that is unlikely",
      "unsure",
      completion({ ...reading, tasks: [{ task: "translation", confidence: 0.2 }] }),
    ],
    ["an unknown task", "invalid", completion({ ...reading, tasks: [{ task: "world-domination", confidence: 1 }] })],
    ["text in place of JSON", "invalid", completion("You need a summarization model.")],
    ["JSON of another form", "invalid", completion([1, 2])],
    ["figures out of range", "invalid", completion({ ...reading, confidence: 17 })],
    ["wrong types", "invalid", completion({ tasks: "summarization", wishes: 1, confidence: "high" })],
    ["an answer cut by the model's limit", "invalid", completion(reading, "length")],
    ["a completion without choices", "invalid", JSON.stringify({ choices: [] })],
    ["content that is no text", "invalid", JSON.stringify({ choices: [{ message: { content: { a: 1 } } }] })],
    ["a body that is no JSON", "invalid", valid.slice(0, 60)],
    ["an empty body", "invalid", ""],
    ["bytes that are no UTF-8", "invalid", Buffer.concat([Buffer.from(valid), Buffer.from([0xff, 0xfe])])],
    ["a huge body", "invalid", Buffer.alloc(4_000_000, " ")],
    ["JSON in 60,000 levels", "invalid", `${"[".repeat(60_000)}${"]".repeat(60_000)}`],
    ["content in 30,000 levels", "invalid", completion(`{"tasks":${"[".repeat(30_000)}${"]".repeat(30_000)}}`)],
    ["status 401", "error", valid, 401],
    ["status 404", "error", valid, 404],
    ["status 429", "error", valid, 429],
    ["status 500", "error", valid, 500],
    ["a redirect", "error", valid, 307, { location: "http://127.0.0.1:1/elsewhere" }],
    ["status 204", "error", "", 204],
  ])("after %s", async (_what, outcome, body, status, headers) => {
    model.answer = sends(body, status, headers);
    const { read, outcomes } = startReader();
    expect(await read(need)).toEqual(builtIn(need));
    expect(outcomes).toEqual([outcome]);
    expect(model.asked).toHaveLength(1);
  });

  it("after silence, and the connection ends", async () => {
    model.answer = () => {};
    const { read, outcomes } = startReader({ timeoutMs: 100 });
    expect(await read(need)).toEqual(builtIn(need));
    expect(outcomes).toEqual(["timeout"]);
    await model.asked[0]?.closed;
  });

  it("after an answer that never ends", async () => {
    model.answer = (response) => {
      response.writeHead(200);
      const more = setInterval(() => response.write(" "), 5);
      response.on("close", () => clearInterval(more));
    };
    const { read, outcomes } = startReader({ timeoutMs: 200 });
    expect(await read(need)).toEqual(builtIn(need));
    expect(outcomes).toEqual(["timeout"]);
    await model.asked[0]?.closed;
  });

  it("after an answer that breaks off", async () => {
    model.answer = (response) => {
      response.writeHead(200, { "content-length": "5000" });
      response.write(completion(reading), () => response.destroy());
    };
    const { read, outcomes } = startReader();
    expect(await read(need)).toEqual(builtIn(need));
    expect(outcomes).toEqual(["error"]);
  });

  it.each([
    ["nobody listens", "http://127.0.0.1:1/v1"],
    ["the address is public and has no TLS", "http://192.0.2.7/v1"],
    ["the address is that of a cloud's metadata", "http://169.254.169.254/v1"],
    ["the name does not exist", "http://nobody.invalid/v1"],
    ["the server speaks no TLS", model.url.replace("http:", "https:")],
  ])("if %s", async (_what, url) => {
    const { read, outcomes } = startReader({ url });
    expect(await read(need)).toEqual(builtIn(need));
    expect(outcomes).toEqual(["error"]);
    expect(model.asked).toEqual([]);
  });

  it("while as many needs as allowed are being read", async () => {
    const answers: Array<() => void> = [];
    const arrived = Promise.withResolvers<void>();
    model.answer = (response) => {
      answers.push(() => sends(completion(reading))(response));
      arrived.resolve();
    };
    const { read, outcomes } = startReader({ concurrency: 1 });
    const first = read(need);
    await arrived.promise;
    expect(await read(`${need}!`)).toEqual(builtIn(`${need}!`));
    answers[0]?.();
    expect((await first).tasks[0]?.source).toBe("language-model");
    expect(outcomes).toEqual(["busy", "answered"]);
  });
});

describe("an endpoint that may not read needs", () => {
  /** Makes the system's look-up find an address for every name. */
  function resolveTo(address: string): void {
    const { lookup } = dns;
    const { lookup: promised } = dns.promises;
    onTestFinished(() => {
      dns.lookup = lookup;
      dns.promises.lookup = promised;
      syncBuiltinESMExports();
    });
    const found = [
      { address: "127.0.0.1", family: 4 },
      { address, family: 4 },
    ];
    dns.lookup = ((...args: unknown[]) => (args.at(-1) as (...found: unknown[]) => void)(null, found)) as never;
    dns.promises.lookup = (async () => found) as never;
    syncBuiltinESMExports();
  }

  it("is one that has a public address, at start and at each connection", async () => {
    resolveTo("203.0.113.7");
    const url = model.url.replace("127.0.0.1", "llm.test");
    expect(await publicAddressOf(url)).toBe("203.0.113.7");
    const { read, outcomes } = startReader({ url });
    expect(await read(need)).toEqual(builtIn(need));
    expect(outcomes).toEqual(["error"]);
    expect(model.asked).toEqual([]);
    const languageModel = { model: "a", key: undefined, timeoutMs: 100, concurrency: 1 };
    const opening = openNeedReader({ languageModel: { ...languageModel, url: `${url}?api-key=secret` } });
    await expect(opening).rejects.toThrow(
      /MODELSCOUT_LLM_URL=.* must be an https URL, because .* llm\.test has the address 203\.0\.113\.7/,
    );
    await expect(opening).rejects.not.toThrow("secret");
  });

  it("is none whose addresses are all near, none with TLS, and none without an address", async () => {
    expect(await publicAddressOf("https://8.8.8.8/v1")).toBeUndefined();
    expect(await publicAddressOf("http://8.8.8.8/v1")).toBe("8.8.8.8");
    expect(await publicAddressOf("http://nobody.invalid/v1")).toBeUndefined();
    resolveTo("10.0.0.1");
    const url = model.url.replace("127.0.0.1", "llm.test");
    expect(await publicAddressOf(url)).toBeUndefined();
    expect((await startReader({ url }).read(need)).tasks[0]?.source).toBe("language-model");
  });

  it("is one with a certificate that nobody trusts", async () => {
    const server = createServer(selfSignedCertificate(), (_request, response) => sends(completion(reading))(response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { read, outcomes } = startReader({ url: `https://localhost:${port}/v1` });
    expect(await read(need)).toEqual(builtIn(need));
    expect(outcomes).toEqual(["error"]);
  });
});

describe("after failures", () => {
  it("leaves the language model alone, tries again once, and says both without the need or the key", async () => {
    let now = 0;
    const { read, outcomes, problems } = startReader({ now: () => now });
    model.answer = sends(`${need} sk-very-secret`, 500);
    for (let i = 0; i < 7; i++) {
      await read(`${need} ${i}`);
    }
    expect(outcomes).toEqual([...Array(5).fill("error"), "paused", "paused"]);
    expect(model.asked).toHaveLength(5);
    now = 29_999;
    await read(`${need} again`);
    now = 30_001;
    await read(`${need} again`);
    await read(`${need} again`);
    expect(outcomes.slice(7)).toEqual(["paused", "error", "paused"]);
    now = 60_002;
    model.answer = sends(completion(reading));
    await read(`${need} again`);
    await read(`${need} and again`);
    expect(outcomes.slice(10)).toEqual(["answered", "answered"]);
    expect(problems).toEqual([
      "The language model failed (it answered with status 500). For the next 30 s it is not asked, and the built-in rules read the needs",
      "The language model answers again",
    ]);
  });

  it("waits as long as the endpoint asks for, up to five minutes", async () => {
    let now = 0;
    const { read, outcomes } = startReader({ now: () => now });
    model.answer = sends("", 429, { "retry-after": "86400" });
    await read(need);
    now = 299_000;
    await read(need);
    now = 301_000;
    model.answer = sends(completion(reading));
    await read(need);
    expect(outcomes).toEqual(["error", "paused", "answered"]);
  });

  it("does not count those between which it served", async () => {
    const { read, outcomes } = startReader();
    for (let i = 0; i < 12; i++) {
      model.answer = i % 4 === 3 ? sends(completion(reading)) : sends("", 500);
      await read(`${need} ${i}`);
    }
    expect(outcomes.filter((outcome) => outcome === "paused")).toEqual([]);
  });
});

it("ends the request when the caller hangs up, and does not count that as a failure", async () => {
  model.answer = () => {};
  const { read, outcomes } = startReader();
  for (let i = 0; i < 6; i++) {
    const hangUp = new AbortController();
    const reads = read(`${need} ${i}`, hangUp.signal);
    while (model.asked.length <= i) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    hangUp.abort(new Error("gone"));
    await expect(reads).rejects.toThrow("gone");
    await model.asked[i]?.closed;
  }
  expect(outcomes).toEqual([]);
  model.answer = sends(completion(reading));
  await read(need);
  expect(outcomes).toEqual(["answered"]);
  await expect(read("another need", AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
  expect(model.asked).toHaveLength(7);
});

it("keeps the readings used last", async () => {
  const { read } = startReader();
  await read("the first need");
  for (let i = 0; i < 499; i++) {
    await read(`need ${i}`);
  }
  await read("the first need");
  await read("one more");
  expect(model.asked).toHaveLength(501);
  await read("the first need");
  expect(model.asked).toHaveLength(501);
  await read("need 0");
  expect(model.asked).toHaveLength(502);
});
