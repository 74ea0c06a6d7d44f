import type { DescService } from "@bufbuild/protobuf";
import { type ConnectRouter, createConnectRouter } from "@connectrpc/connect";
import { createFetchHandler } from "@connectrpc/connect/protocol";
import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import fastify from "fastify";
import { transcodingPlugin } from "../../packages/connect-transcoding/src/fastify.ts";
import { createTranscodingHandler } from "../../packages/connect-transcoding/src/index.ts";
import { buildRegistry } from "../../test/packages/connect-transcoding/support/build-registry.ts";
import type { Measure, Report } from "../report/report.ts";
import { summarise } from "../report/summarise.ts";
import { httpClient } from "../support/http-client.ts";

/** The goal for both forms: a REST call takes at most this many times the processor time of Connect JSON. */
const MOST = 1.25;
const CALLS = 2_000;
const ROUNDS = 9;
/** Rounds before those that count, in which the code is compiled. */
const WARM_UP = 3;
/** How often the two alternate in a round. */
const TURNS = 10;
const PARALLEL = 8;
const CHAPTERS = [1, 20, 500];

const CONNECT_PATH = "/library.v1.Library/CreateBook";
const REST_PATH = "/v1/books";

/** Sends a body to a path, and reads the answer. */
type Post = (path: string, body: string) => Promise<unknown>;

/** The time that the transcoder alone adds to a call: an empty handler, over Connect JSON and REST. */
export async function measureTranscoding(): Promise<Report> {
  const library = new URL("../../test/packages/connect-transcoding/library.proto", import.meta.url).pathname;
  const service = buildRegistry(library).getService("library.v1.Library") as DescService;
  const routes = (router: ConnectRouter) => {
    router.service(service, { createBook: (book: unknown) => book } as never);
  };
  return {
    measures: [...(await measurePlugin(routes)), ...(await measureHandler(routes))],
    notes: [
      `${PARALLEL} calls at a time. A figure is the processor time of this process during many calls, divided by their number.`,
      "With Fastify the process has the client too. The plain handler is called without a server and a client.",
      `The two alternate ${TURNS} times in each round; a ratio is the median over ${ROUNDS} rounds, after ${WARM_UP} to warm up.`,
    ],
  };
}

async function measurePlugin(routes: (router: ConnectRouter) => void): Promise<Measure[]> {
  const app = fastify();
  app.register(fastifyConnectPlugin, { routes });
  app.register(transcodingPlugin, { routes, unknownBodyFields: "reject" });
  const client = httpClient(await app.listen({ port: 0, host: "127.0.0.1" }), { connections: PARALLEL });
  const measures: Measure[] = [];
  try {
    for (const chapters of CHAPTERS) {
      measures.push(...(await compare("Fastify", client.post, chapters)));
    }
  } finally {
    client.close();
    await app.close();
  }
  return measures;
}

async function measureHandler(routes: (router: ConnectRouter) => void): Promise<Measure[]> {
  const router = createConnectRouter();
  routes(router);
  const createBook = router.handlers.find(({ requestPath }) => requestPath === CONNECT_PATH);
  if (createBook === undefined) {
    throw new Error("the router has no CreateBook");
  }
  const connect = createFetchHandler(createBook);
  const rest = createTranscodingHandler({ routes, unknownBodyFields: "reject" });
  const post: Post = async (path, body) => {
    const headers = { "content-type": "application/json" };
    const request = new Request(`http://localhost${path}`, { method: "POST", headers, body });
    const response = await (path === CONNECT_PATH ? connect : rest)(request);
    if (response.status !== 200) {
      throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    }
    return response.text();
  };
  const measures: Measure[] = [];
  for (const chapters of CHAPTERS) {
    measures.push(...(await compare("plain handler", post, chapters)));
  }
  return measures;
}

async function compare(form: string, post: Post, chapters: number): Promise<Measure[]> {
  const body = JSON.stringify({
    name: "shelves/1/books/2",
    title: "A title",
    pages: 123,
    copies: "9007199254740993",
    tags: ["a", "b", "c"],
    chapters: Array.from({ length: chapters }, (_, i) => ({ title: `chapter ${i}`, words: 1000 + i, score: 0.5 })),
  });
  const calls = TURNS * PARALLEL * Math.max(4, Math.round(CALLS / Math.sqrt(chapters) / TURNS / PARALLEL));
  const connect: number[] = [];
  const rest: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    let connectTime = 0;
    let restTime = 0;
    // Short turns, so that collections of garbage and a busy machine hit both alike.
    for (let turn = 0; turn < TURNS; turn++) {
      connectTime += await perCall(post, CONNECT_PATH, body, calls / TURNS);
      restTime += await perCall(post, REST_PATH, body, calls / TURNS);
    }
    if (round >= 0) {
      connect.push(connectTime / TURNS);
      rest.push(restTime / TURNS);
    }
  }
  const size = `${body.length.toLocaleString("en")} bytes, ${form}`;
  const ratios = rest.map((us, round) => us / (connect[round] as number));
  return [
    { name: `Connect JSON, ${size}`, unit: "µs", ...summarise(connect) },
    { name: `REST, ${size}`, unit: "µs", ...summarise(rest) },
    { name: `REST / Connect JSON, ${size}`, unit: "x", ...summarise(ratios), goal: { most: MOST } },
  ];
}

/** Measures the microseconds of processor time of a call. */
async function perCall(post: Post, path: string, body: string, calls: number): Promise<number> {
  const began = process.cpuUsage();
  const workers = Array.from({ length: PARALLEL }, async () => {
    for (let i = 0; i < calls / PARALLEL; i++) {
      await post(path, body);
    }
  });
  await Promise.all(workers);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / calls;
}
