import { create } from "@bufbuild/protobuf";
import { createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import {
  compressionBrotli,
  compressionGzip,
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import { type Batch, BatchService, type StreamBatchResultsResponse } from "../../gen/modelscout/v1/batch_pb.ts";
import { RecommendationService, RecommendRequestSchema } from "../../gen/modelscout/v1/recommendation_pb.ts";
import { createKeys } from "../../src/access/keys.ts";
import { createApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/config/config.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Client } from "../support/clients/client.ts";
import { libraryClients } from "../support/clients/clients.ts";
import { ReceivedError } from "../support/clients/received-error.ts";
import { createKey } from "../support/service/create-key.ts";
import { startApp } from "../support/service/start-app.ts";

const { createBatch, listBatches, getBatch, cancelBatch, listBatchResults } = BatchService.method;
const records = [
  { name: "acme/poet", task_types: ["text-generation"], size_gb: 4, license: "mit", parameters: 2e9 },
  {
    name: "acme/ear",
    task_types: ["automatic-speech-recognition"],
    size_gb: 1,
    license: "apache-2.0",
    evaluations: [{ board: "open-asr-en-shortform", value: 5, place: 1, of: 87, evidence: "measured" as const }],
  },
];
// The tests of each client make some batches, which are not all to be waited for.
const env = { MODELSCOUT_BATCHES_PER_OWNER: "1000", MODELSCOUT_STREAMS_PER_OWNER: "3" };
const { url, home } = await startApp({ records, isUnlimited: false, env: { ...env, MODELSCOUT_BURST: "off" } });

const newKey = () => createKey({ home }, { tier: "pro" });
const key = await newKey();
const clients = libraryClients(url, { "x-api-key": key });
const strangers = libraryClients(url, { "x-api-key": await newKey() });

const requests = [
  { description: "write poems" },
  { description: "transcribe calls", topK: 1 },
  { description: "transcribe calls", topK: 1, priority: "quality" },
];

async function untilEnded(client: Client, id: string): Promise<Batch> {
  for (;;) {
    const batch = await client.call(getBatch, { id });
    if (batch.endedAt !== undefined) {
      return batch;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail("not refused"),
    (error: ReceivedError) => error,
  );

it("Batches over REST do not say that they have no needs", async () => {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const body = JSON.stringify({ requests: [{ description: "write poems" }] });
  const made = await fetch(`${url}/models/batches`, { method: "POST", headers, body });
  const batch = (await made.json()) as Record<string, unknown>;
  expect(batch).toMatchObject({ total: 1, completed: 0, failed: 0 });
  expect(batch).not.toHaveProperty("requests");
  const { batches } = (await (await fetch(`${url}/models/batches`, { headers })).json()) as { batches: object[] };
  expect(batches).toContainEqual(expect.not.objectContaining({ requests: expect.anything() }));
  expect(batches).toHaveLength(1);
});

it("A query parameter in a body is called one", async () => {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const body = JSON.stringify({ requests: [{ description: "write poems" }], request_id: "one", request_it: 1 });
  const refused = await fetch(`${url}/models/batches`, { method: "POST", headers, body });
  const { error } = (await refused.json()) as { error: { message: string } };
  expect(refused.status).toBe(400);
  expect(error.message).toContain("request_id: is a query parameter, not a field of the body");
  expect(error.message).toContain("request_it: unknown field `request_it`");
});

describe.each(clients.map((client, i) => [client.name, client, strangers[i] as Client] as const))(
  "Batches by %s",
  (_name, client, stranger) => {
    it("are answered as Recommend answers", { timeout: 60_000 }, async () => {
      const made = await client.call(createBatch, { batch: { name: "two", requests } });
      expect(made).toMatchObject({ name: "two", state: "queued", total: 3, completed: 0, failed: 0, requests: [] });
      expect(made.id).toMatch(/^bat_[0-9a-v]{26}$/);
      const ended = await untilEnded(client, made.id);
      expect(ended).toMatchObject({ state: "succeeded", completed: 3, failed: 0 });
      const { results, nextPageToken } = await client.call(listBatchResults, { batchId: made.id });
      expect(nextPageToken).toBe("");
      for (const [i, request] of requests.entries()) {
        const received = results[i];
        expect(received?.index).toBe(i);
        if (received?.answer.case !== "response") {
          return expect.fail("no response");
        }
        const direct = await client.call(RecommendationService.method.recommend, request);
        expect({ ...received.answer.value, queryTimeMs: 0 }).toEqual({ ...direct, queryTimeMs: 0 });
      }
      const [balanced = 1, quality = 0] = results.slice(1).map(({ answer }) => {
        return answer.case === "response" ? answer.value.results[0]?.score : undefined;
      });
      expect(quality, "the first place on a leaderboard counts where quality decides").toBeGreaterThan(balanced);
    });

    it("are listed by state, and their answers in pages", { timeout: 60_000 }, async () => {
      const many = Array.from({ length: 7 }, (_, i) => ({ description: `write ${i} poems`, topK: 1 }));
      const { id } = await client.call(createBatch, { batch: { requests: many } });
      await untilEnded(client, id);
      const indices: number[] = [];
      let pageToken = "";
      do {
        const page = await client.call(listBatchResults, { batchId: id, pageSize: 3, pageToken });
        indices.push(...page.results.map(({ index }) => index));
        pageToken = page.nextPageToken;
      } while (pageToken !== "");
      expect(indices).toEqual([0, 1, 2, 3, 4, 5, 6]);
      const { batches } = await client.call(listBatches, { state: "succeeded", pageSize: 1 });
      expect(batches.map((each) => each.id)).toEqual([id]);
      expect((await client.call(listBatches, { state: "failed" })).batches).toEqual([]);
    });

    it("are the owner's alone", async () => {
      const { id } = await client.call(createBatch, { batch: { requests } });
      const calls = (batchId: string) => [
        () => stranger.call(getBatch, { id: batchId }),
        () => stranger.call(cancelBatch, { id: batchId }),
        () => stranger.call(listBatchResults, { batchId }),
      ];
      const made = `${id.slice(0, -3)}zzz`;
      for (const [i, call] of calls(id).entries()) {
        const [real, unknown] = [await refusal(call()), await refusal(calls(made)[i]?.() as Promise<unknown>)];
        expect(real).toMatchObject({ code: "NOT_FOUND", details: { ErrorInfo: { reason: "BATCH_NOT_FOUND" } } });
        // They cannot be told from what was never there.
        expect(JSON.stringify(real.details).replaceAll(id, "ID")).toBe(
          JSON.stringify(unknown.details).replaceAll(made, "ID"),
        );
      }
      expect((await stranger.call(listBatches, {})).batches).toEqual([]);
    });

    it("are cancelled, once", { timeout: 60_000 }, async () => {
      const many = Array.from({ length: 1_000 }, () => ({ description: "write poems" }));
      const { id } = await client.call(createBatch, { batch: { requests: many } });
      const cancelled = await client.call(cancelBatch, { id });
      expect(cancelled).toMatchObject({ id, state: "cancelled", total: 1_000 });
      expect(await client.call(cancelBatch, { id })).toEqual(cancelled);
      expect(await client.call(getBatch, { id })).toEqual(cancelled);
    });

    it("are created once for a request id", async () => {
      const requestId = `once-${crypto.randomUUID()}`;
      const made = await client.call(createBatch, { batch: { requests }, requestId });
      expect((await client.call(createBatch, { batch: { requests }, requestId })).id).toBe(made.id);
      const other = await refusal(client.call(createBatch, { batch: { requests: requests.slice(1) }, requestId }));
      expect(other.details.ErrorInfo?.reason).toBe("REQUEST_ID_REUSED");
    });

    it("are refused with all violations", async () => {
      const wrong = [{ description: "" }, ...requests, { description: "x", license: "mti", topK: 99 }];
      const error = await refusal(
        client.call(createBatch, { batch: { name: "a\u0000", requests: wrong }, requestId: "no blanks" }),
      );
      expect(error.code).toBe("INVALID_ARGUMENT");
      const inBatch = (field: string) => (client.protocol === "rest" ? field : `batch.${field}`);
      const needs = ["requests[0].description", "requests[4].license", "requests[4].top_k"];
      expect(error.fields.toSorted()).toEqual(["request_id", ...["name", ...needs].map(inBatch)].toSorted());
      const none = await refusal(client.call(createBatch, { batch: { requests: [] } }));
      expect(none.violations).toEqual([`${inBatch("requests")}: is required: 1 to 10000 needs`]);
      const bad = Array.from({ length: 200 }, () => ({ description: " " }));
      const many = await refusal(client.call(createBatch, { batch: { requests: bad } }));
      expect(many.violations.at(-1)).toBe(`${inBatch("requests")}: has 171 more invalid needs`);
      const list = await refusal(client.call(listBatches, { state: "done", pageSize: -1, pageToken: "x" }));
      expect(list.fields).toEqual(["page_size", "page_token", "state"]);
    });
  },
);

it("more than 10,000 needs are refused, by their number", async () => {
  const many = Array.from({ length: 10_001 }, () => ({ description: "x" }));
  for (const client of clients) {
    const error = await refusal(client.call(createBatch, { batch: { requests: many } }));
    const field = client.protocol === "rest" ? "requests" : "batch.requests";
    expect(error.violations).toEqual([`${field}: has 10001 entries; at most 10000 are allowed`]);
  }
});

const withKey =
  (own: string): Interceptor =>
  (next) =>
  (request) => {
    request.header.set("x-api-key", own);
    return next(request);
  };

const transportsOf = (baseUrl: string, own: string): ReadonlyArray<readonly [string, Transport]> => {
  const interceptors = [withKey(own)];
  return [
    ["gRPC", createGrpcTransport({ baseUrl, interceptors })],
    ["gRPC-Web", createGrpcWebTransport({ baseUrl, interceptors, httpVersion: "1.1" })],
    ["Connect", createConnectTransport({ baseUrl, interceptors, httpVersion: "2" })],
    ["Connect JSON", createConnectTransport({ baseUrl, interceptors, httpVersion: "1.1", useBinaryFormat: false })],
  ];
};

describe("Bodies of more than 1 MiB", () => {
  const large = {
    batch: { requests: Array.from({ length: 1_500 }, () => ({ description: "write poems ".repeat(100) })) },
  };
  const base = { baseUrl: url, interceptors: [withKey(key)] };
  const compressed = [
    ["gRPC, gzip", createGrpcTransport({ ...base, sendCompression: compressionGzip })],
    ["gRPC, br", createGrpcTransport({ ...base, sendCompression: compressionBrotli })],
    ["gRPC-Web, gzip", createGrpcWebTransport({ ...base, httpVersion: "2", sendCompression: compressionGzip })],
    ["Connect, gzip", createConnectTransport({ ...base, httpVersion: "1.1", sendCompression: compressionGzip })],
    [
      "Connect JSON, gzip",
      createConnectTransport({ ...base, httpVersion: "1.1", useBinaryFormat: false, sendCompression: compressionGzip }),
    ],
  ] as const;
  it.each([...transportsOf(url, key), ...compressed])(
    "are taken over %s, up to 32 MiB",
    { timeout: 120_000 },
    async (_name, transport) => {
      const client = createClient(BatchService, transport);
      const { id, total } = await client.createBatch(large);
      expect(total).toBe(1_500);
      await client.cancelBatch({ id });
      const filler = { description: "x".repeat(33 * 1024 * 1024) };
      const error = ReceivedError.fromConnect(
        await client.createBatch({ batch: { requests: [filler] } }).catch((e) => e),
      );
      expect(error.details.ErrorInfo).toMatchObject({ reason: "BODY_TOO_LARGE" });
      // Everything else takes as much as before.
      const other = createClient(RecommendationService, transport);
      const refused = await other.batchRecommend({ requests: large.batch.requests }).catch((e) => e);
      expect(ReceivedError.fromConnect(refused).details.ErrorInfo).toMatchObject({ reason: "BODY_TOO_LARGE" });
    },
  );

  it.each([...transportsOf(url, key), ...compressed])(
    "are refused over %s before they are decoded, where they hold far too many needs",
    { timeout: 120_000 },
    async (_name, transport) => {
      const client = createClient(BatchService, transport);
      const empty = create(RecommendRequestSchema);
      const needs = { batch: { requests: Array(100_000).fill(empty) } };
      const error = ReceivedError.fromConnect(await client.createBatch(needs).catch((e) => e));
      const words =
        "has far more entries than allowed: there may be at most 10000 needs, and their lists have limits too";
      expect({ code: error.code, received: error.violations }).toEqual({
        code: "INVALID_ARGUMENT",
        received: [`requests: ${words}`],
      });
      const call = createClient(RecommendationService, transport).batchRecommend({
        requests: Array(5_000).fill(empty),
      });
      const ofCall = ReceivedError.fromConnect(await call.catch((e) => e));
      expect(ofCall.violations).toEqual([`requests: ${words.replace("10000", "100")}`]);
      // The largest lists that a need may have are taken.
      const full = { description: "x", languages: Array(100).fill("en"), ignore: Array(100).fill("size") };
      const { id } = await client.createBatch({ batch: { requests: Array(10_000).fill(full) } });
      await client.cancelBatch({ id });
    },
  );

  it("are refused over REST before they are decoded, where they hold far too many needs", async () => {
    const answer = await fetch(`${url}/models/batches`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key },
      body: `{"requests":[${Array(100_000).fill('{"description":"a \\" b, {[" }').join(",")}]}`,
    });
    expect({ status: answer.status, text: await answer.text() }).toEqual({
      status: 400,
      text: expect.stringContaining("has far more entries than allowed"),
    });
  });

  it("of a call are refused over REST before they are decoded, and exactly where they are a few too many", async () => {
    const call = async (count: number) => {
      const answer = await fetch(`${url}/models/recommend:batch`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": key },
        body: `{"requests":[${Array(count).fill("{}").join(",")}]}`,
      });
      return { status: answer.status, text: await answer.text() };
    };
    expect(await call(300_000)).toEqual({
      status: 400,
      text: expect.stringContaining("far more entries than allowed"),
    });
    expect(await call(101)).toEqual({ status: 400, text: expect.stringContaining("has 101") });
  });

  it("are taken over REST, up to 32 MiB", { timeout: 120_000 }, async () => {
    const post = (body: string) =>
      fetch(`${url}/models/batches`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": key },
        body,
      });
    const made = await post(JSON.stringify(large.batch));
    const { id, total } = (await made.json()) as { id: string; total: number };
    expect({ status: made.status, total }).toEqual({ status: 200, total: 1_500 });
    await fetch(`${url}/models/batches/${id}:cancel`, { method: "POST", headers: { "x-api-key": key } });
    const refused = await post(JSON.stringify({ requests: [{ description: "x".repeat(33 * 1024 * 1024) }] }));
    expect({ status: refused.status, text: await refused.text() }).toEqual({
      status: 413,
      text: expect.stringContaining("BODY_TOO_LARGE"),
    });
  });
});

/** A stream's messages with their cases, each heartbeat left out. */
async function received(
  messages: AsyncIterable<StreamBatchResultsResponse>,
): Promise<Array<[string | undefined, unknown]>> {
  const all: Array<[string | undefined, unknown]> = [];
  for await (const { event } of messages) {
    if (event.case === "result") {
      all.push(["result", [event.value.cursor, event.value.result?.index]]);
    } else if (event.case === "end") {
      all.push(["end", [event.value.cursor, event.value.batch?.state]]);
    } else if (event.case === "closing") {
      all.push(["closing", event.value.reason]);
    }
  }
  return all;
}

const five = Array.from({ length: 5 }, (_, i) => ({ description: `write ${i} poems`, topK: 1 }));
const allFive = [...five.keys()].map((i) => ["result", [String(i + 1), i]]);
const slow = Array.from({ length: 5_000 }, () => ({ description: "write poems", topK: 1 }));

describe.each(transportsOf(url, key))("A stream over %s", (_name, transport) => {
  const client = createClient(BatchService, transport);

  it("sends the answers in order as they come, and the end", { timeout: 60_000 }, async () => {
    const { id } = await client.createBatch({ batch: { requests: five } });
    expect(await received(client.streamBatchResults({ batchId: id }))).toEqual([
      ...allFive,
      ["end", ["5", "succeeded"]],
    ]);
    // And again, from any place on.
    expect(await received(client.streamBatchResults({ batchId: id, after: "3" }))).toEqual([
      ...allFive.slice(3),
      ["end", ["5", "succeeded"]],
    ]);
    expect(await received(client.streamBatchResults({ batchId: id, after: "5" }))).toEqual([
      ["end", ["5", "succeeded"]],
    ]);
    const wrong = ReceivedError.fromConnect(
      await received(client.streamBatchResults({ batchId: id, after: "6" })).catch((e) => e),
    );
    expect(wrong.violations).toEqual(["after: is not a cursor of this batch's stream"]);
    const unknown = await received(client.streamBatchResults({ batchId: "bat_none" })).catch((e) => e);
    expect(ReceivedError.fromConnect(unknown).code).toBe("NOT_FOUND");
    for (const [call, field] of [
      [received(client.streamBatchResults({ batchId: "" })), "batch_id"],
      [client.getBatch({ id: "" }), "id"],
      [client.cancelBatch({ id: "" }), "id"],
    ] as const) {
      const error = await (call as Promise<unknown>).catch((e) => e);
      expect(ReceivedError.fromConnect(error).violations).toEqual([`${field}: is required`]);
    }
  });

  it("begins at once, and ends when the batch is cancelled", { timeout: 60_000 }, async () => {
    const { id } = await client.createBatch({ batch: { requests: slow } });
    const messages = client.streamBatchResults({ batchId: id })[Symbol.asyncIterator]();
    const first = await messages.next();
    expect(["heartbeat", "result"]).toContain(first.value?.event.case);
    await client.cancelBatch({ id });
    const rest = await received({ [Symbol.asyncIterator]: () => messages });
    expect(rest.at(-1)).toEqual(["end", [expect.any(String), "cancelled"]]);
  });

  it("ends when its key is revoked", { timeout: 60_000 }, async () => {
    const store = await openStore({ home });
    const { key: own, record } = await createKeys(store).create({ tier: "pro" }, "test");
    const [, ownTransport] = transportsOf(url, own).find(([name]) => name === _name) as [string, Transport];
    const owner = createClient(BatchService, ownTransport);
    const { id } = await owner.createBatch({ batch: { requests: slow } });
    const messages = owner.streamBatchResults({ batchId: id })[Symbol.asyncIterator]();
    await messages.next();
    await createKeys(store).revoke(record.id, "test");
    const rest = await received({ [Symbol.asyncIterator]: () => messages });
    expect(rest.at(-1)).toEqual(["closing", "key-invalid"]);
    await store.close();
  });
});

describe("A stream over REST", () => {
  const headers = { "x-api-key": key };
  const make = async () => {
    const made = await fetch(`${url}/models/batches`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ requests: five.map(({ description }) => ({ description, top_k: 1 })) }),
    });
    return ((await made.json()) as { id: string }).id;
  };

  it("is lines of JSON", { timeout: 60_000 }, async () => {
    const id = await make();
    const answer = await fetch(`${url}/models/batches/${id}/results:stream`, { headers });
    expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
    const lines = (await answer.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).result);
    const results = lines.filter((line) => "result" in line);
    expect(results.map(({ result }) => [result.cursor, result.result.index])).toEqual([
      ["1", 0],
      ["2", 1],
      ["3", 2],
      ["4", 3],
      ["5", 4],
    ]);
    expect(results[0].result.result.response.results[0].model.name).toBe("acme/poet");
    expect(lines.at(-1).end).toMatchObject({ cursor: "5", batch: { id, state: "succeeded" } });
  });

  it("is server-sent events that resume after the last one", { timeout: 60_000 }, async () => {
    const id = await make();
    const read = async (more: Record<string, string>, query = "") => {
      const answer = await fetch(`${url}/models/batches/${id}/results:stream${query}`, {
        headers: { ...headers, accept: "text/event-stream", ...more },
      });
      expect(answer.headers.get("content-type")).toBe("text/event-stream");
      const events = (await answer.text()).split("\n\n").filter((event) => event.includes("data:"));
      return events
        .filter((event) => !event.includes('"heartbeat"'))
        .map((event) => {
          const [, cursor] = /^id: (.*)$/m.exec(event) ?? [];
          return [cursor, Object.keys(JSON.parse((/^data: (.*)$/m.exec(event) ?? [])[1] as string))[0]];
        });
    };
    const all = [...["1", "2", "3", "4", "5"].map((cursor) => [cursor, "result"]), ["5", "end"]];
    expect(await read({})).toEqual(all);
    expect(await read({}, "?after=4")).toEqual(all.slice(4));
    expect(await read({ "last-event-id": "2" }, "?after=4")).toEqual(all.slice(2));
  });
});

it("an owner may have a number of streams open, and others theirs", { timeout: 60_000 }, async () => {
  const own = await newKey();
  const transport = createGrpcTransport({ baseUrl: url, interceptors: [withKey(own)] });
  const client = createClient(BatchService, transport);
  const { id } = await client.createBatch({ batch: { requests: slow } });
  const leaving = new AbortController();
  const open = async () => {
    const messages = client.streamBatchResults({ batchId: id }, { signal: leaving.signal })[Symbol.asyncIterator]();
    await messages.next();
    return messages;
  };
  for (let i = 0; i < 3; i++) {
    await open();
  }
  const error = ReceivedError.fromConnect(await open().catch((e) => e));
  expect(error).toMatchObject({
    code: "RESOURCE_EXHAUSTED",
    details: {
      ErrorInfo: { reason: "LIMIT_REACHED" },
      QuotaFailure: { violations: [{ subject: "owner", description: "3 open streams an owner" }] },
    },
  });
  leaving.abort();
  // Those that were left make room.
  const again = new AbortController();
  const isOpen = async () => {
    const messages = client.streamBatchResults({ batchId: id }, { signal: again.signal })[Symbol.asyncIterator]();
    return messages.next().then(
      () => true,
      () => false,
    );
  };
  while (!(await isOpen())) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  again.abort();
  await client.cancelBatch({ id });
});

it("a shutdown ends streams with a cursor, and the next process continues there", {
  timeout: 120_000,
}, async () => {
  const { config } = readConfig({ PORT: "0", LOG_LEVEL: "silent", MODELSCOUT_HOME: `${home}/second` });
  const start = async () => {
    const app = await createApp(config);
    const { url: baseUrl } = await app.listen();
    await app.ready;
    return { app, baseUrl };
  };
  const first = await start();
  const own = await createKey(config, { tier: "pro" });
  const needs = Array.from({ length: 60 }, () => ({ description: "write poems", topK: 1 }));
  const before = createClient(
    BatchService,
    createGrpcTransport({ baseUrl: first.baseUrl, interceptors: [withKey(own)] }),
  );
  const { id } = await before.createBatch({ batch: { requests: needs } });
  const cursors: number[] = [];
  let closed: { reason: string; cursor: string } | undefined;
  let closing: Promise<void> | undefined;
  for await (const { event } of before.streamBatchResults({ batchId: id })) {
    if (event.case === "result") {
      cursors.push(Number(event.value.cursor));
    }
    if (event.case === "closing") {
      closed = event.value;
    }
    if (cursors.length >= 5) {
      closing ??= first.app.close();
    }
  }
  await closing;
  expect(closed).toMatchObject({ reason: "shutting-down", cursor: String(cursors.length) });
  const second = await start();
  const after = createClient(
    BatchService,
    createGrpcTransport({ baseUrl: second.baseUrl, interceptors: [withKey(own)] }),
  );
  let end: unknown;
  for await (const { event } of after.streamBatchResults({ batchId: id, after: closed?.cursor })) {
    if (event.case === "result") {
      cursors.push(Number(event.value.cursor));
    }
    if (event.case === "end") {
      end = event.value.batch?.state;
    }
  }
  await second.app.close({ force: true });
  expect({ cursors, end }).toEqual({ cursors: needs.map((_, i) => i + 1), end: "succeeded" });
});
