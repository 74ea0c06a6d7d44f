import { connect, createServer, type Socket } from "node:net";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import {
  BatchService,
  createConnectTransport,
  createGrpcWebTransport,
  createModelscoutClient,
  follow,
  InterestService,
} from "../../../packages/client/src/index.ts";
import { readConfig } from "../../../src/config/config.ts";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import { atEnd } from "../../support/at-end.ts";
import { createKey } from "../../support/service/create-key.ts";
import { startApp } from "../../support/service/start-app.ts";

const { url, home, port, database } = await startApp({
  isUnlimited: false,
  env: { MODELSCOUT_BURST: "off" },
  records: [{ name: "acme/other", task_types: ["image-classification"] }],
});
const { config } = readConfig({ MODELSCOUT_HOME: home });

/** Stands before the service, and breaks all its connections on request. */
async function startBreakable(): Promise<{ url: string; breakAll: () => void }> {
  const sockets = new Set<Socket>();
  const server = createServer((caller) => {
    const service = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [caller, service],
      [service, caller],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const breakAll = () => {
    for (const socket of sockets) {
      socket.resetAndDestroy();
    }
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => {
    breakAll();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, breakAll };
}

let models = 0;
/** Adds a model that matches. */
async function addModel(): Promise<string> {
  const name = `acme/opus-norwegian-${models++}`;
  const facts = {
    name,
    task_types: ["translation"],
    tags: ["translation", "no", "en"],
    languages: ["no", "en"],
    description: "Translates Norwegian to English.",
    license: "apache-2.0",
    parameters: 76_000_000,
    downloads: 50_000,
  };
  await ingest(database, [facts], { source: "test" });
  return name;
}

describe.each([
  ["Connect", createConnectTransport],
  ["gRPC-Web", createGrpcWebTransport],
  ["gRPC", createGrpcTransport],
] as const)("following matches over %s", (_name, createTransport) => {
  it("misses and repeats none when connections break, and none after a new start at a cursor", async () => {
    const apiKey = await createKey(config, { tier: "pro" });
    const breakable = await startBreakable();
    const { interest } = createModelscoutClient({ transport: createTransport({ baseUrl: breakable.url }), apiKey });
    await interest.createInterest({ interest: { name: "no", description: "translate Norwegian to English" } });

    const seen: string[] = [];
    const names: string[] = [];
    let connections = 0;
    let breaks = 0;
    let cursor = "";
    const matches = follow(
      interest.watchMatches,
      { after: "0" },
      {
        onConnected: () => {
          connections += 1;
          void addModel().then((name) => names.push(name));
        },
        onDisconnected: (error) => {
          breaks += 1;
          expect(error).toMatchObject({ name: "ModelscoutError" });
        },
      },
    );
    for await (const match of matches) {
      seen.push(match.model?.name ?? "");
      cursor = match.cursor;
      if (seen.length === 4) {
        break;
      }
      breakable.breakAll();
    }
    await expect.poll(() => names).toHaveLength(connections);
    expect(seen).toEqual(names.slice(0, 4));
    expect(breaks).toBe(3);

    const rest = await addModel();
    for await (const match of follow(interest.watchMatches, { after: cursor })) {
      seen.push(match.model?.name ?? "");
      if (match.model?.name === rest) {
        break;
      }
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.toSorted()).toEqual([...names, rest].toSorted());
  }, 120_000);

  it("ends with the error when the key is not valid, and when the caller aborts", async () => {
    const transport = createTransport({ baseUrl: url });
    const { interest } = createModelscoutClient({ transport });
    await expect(follow(interest.watchMatches, {}).next()).rejects.toMatchObject({ reason: "TIER_TOO_LOW" });

    const apiKey = await createKey(config, { tier: "pro" });
    const pro = createModelscoutClient({ transport, apiKey });
    const abort = new AbortController();
    const next = follow(
      pro.interest.watchMatches,
      {},
      { signal: abort.signal, onConnected: () => abort.abort() },
    ).next();
    await expect(next).rejects.toMatchObject({ name: "ModelscoutError", code: Code.Canceled });
  });
});

describe("following a stream", () => {
  it("counts connections that end without a message", async () => {
    let connections = 0;
    const messages: { event: { case: "heartbeat" } }[] = [];
    const empty = async function* (_request: { after?: string }) {
      connections += 1;
      yield* messages;
    };
    await expect(Array.fromAsync(follow(empty, {}, { attempts: 2 }))).rejects.toMatchObject({ code: Code.Unavailable });
    expect(connections).toBe(2);
    await expect(Array.fromAsync(follow(empty, {}, { attempts: Number.NaN }))).rejects.toThrow(TypeError);
  });

  it("resumes the results of a batch after the last one, and ends with the batch", async () => {
    const asked: (string | undefined)[] = [];
    const transport = createRouterTransport(({ service }) =>
      service(BatchService, {
        async *streamBatchResults({ after }) {
          asked.push(after);
          const first = Number(after ?? -1) + 1;
          for (let index = first; index < Math.min(5, first + 2); index++) {
            yield { event: { case: "result", value: { cursor: String(index), result: { index } } } };
          }
          if (first < 5) {
            yield { event: { case: "heartbeat", value: { cursor: String(Math.min(4, first + 1)) } } };
            throw new ConnectError("the proxy was restarted", Code.Unavailable);
          }
          yield { event: { case: "end", value: { cursor: "4" } } };
        },
      }),
    );
    const { batch } = createModelscoutClient({ transport });
    const results = await Array.fromAsync(follow(batch.streamBatchResults, { batchId: "bat_1" }));
    expect(results.map(({ result }) => result?.index)).toEqual([0, 1, 2, 3, 4]);
    expect(asked).toEqual([undefined, "1", "3", "4"]);
  });

  it("connects again after the service has closed the stream in order", async () => {
    const waits: unknown[] = [];
    let turn = 0;
    const transport = createRouterTransport(({ service }) =>
      service(InterestService, {
        async *watchMatches({ after }) {
          turn += 1;
          yield turn === 1
            ? { event: { case: "closing", value: { cursor: "7", reason: "shutting-down" } } }
            : { event: { case: "match", value: { id: `mat_${after}`, cursor: "8" } } };
        },
      }),
    );
    const { interest } = createModelscoutClient({ transport });
    const onDisconnected = (error: unknown) => void waits.push(error);
    const { value } = await follow(interest.watchMatches, {}, { onDisconnected }).next();
    expect(value).toMatchObject({ id: "mat_7" });
    expect(waits).toEqual([undefined]);
  });

  it("gives up after as many failures in a row as the caller says", async () => {
    let calls = 0;
    const transport = createRouterTransport(({ service }) =>
      service(InterestService, {
        // biome-ignore lint/correctness/useYield: it fails before the first message.
        async *watchMatches() {
          calls += 1;
          throw new ConnectError("no replica", Code.Unavailable);
        },
      }),
    );
    const { interest } = createModelscoutClient({ transport });
    const stream = follow(interest.watchMatches, {}, { attempts: 2 });
    await expect(stream.next()).rejects.toMatchObject({ code: Code.Unavailable, message: "no replica" });
    expect(calls).toBe(2);
  });

  it("waits a day at most, also where a proxy asks for longer than a timer can last", async () => {
    const abort = new AbortController();
    const waits: number[] = [];
    let calls = 0;
    const refused = async function* (_request: { after?: string }) {
      calls += 1;
      yield* [] as { event: { case: "heartbeat" } }[];
      throw new ConnectError("full", Code.ResourceExhausted, { "retry-after": String(90 * 86_400) });
    };
    const onDisconnected = (_error: unknown, waitMs: number) => {
      waits.push(waitMs);
      setTimeout(() => abort.abort(), 100);
    };
    const next = follow(refused, {}, { signal: abort.signal, onDisconnected }).next();
    await expect(next).rejects.toMatchObject({ code: Code.Canceled });
    expect(waits).toEqual([86_400_000]);
    expect(calls).toBe(1);
  });
});

it("Leaving the loop over a stream ends its connection", async () => {
  let isOpen = false;
  const transport = createRouterTransport(({ service }) =>
    service(InterestService, {
      async *watchMatches(_request, { signal }) {
        isOpen = true;
        signal.addEventListener("abort", () => {
          isOpen = false;
        });
        yield { event: { case: "heartbeat", value: { cursor: "1" } } };
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    }),
  );
  const { interest } = createModelscoutClient({ transport });
  for await (const { event } of interest.watchMatches({})) {
    expect(event.case).toBe("heartbeat");
    expect(isOpen).toBe(true);
    break;
  }
  await expect.poll(() => isOpen).toBe(false);
});
