import type { DescService } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import fastify from "fastify";
import { transcodingPlugin } from "../../packages/connect-transcoding/src/fastify.ts";
import { buildRegistry } from "../../test/packages/connect-transcoding/support/build-registry.ts";
import type { Measure, Report } from "../report/report.ts";
import { summarise } from "../report/summarise.ts";
import { type HttpClient, httpClient } from "../support/http-client.ts";

const CALLS = 2_000;
const ROUNDS = 9;
const PARALLEL = 8;

/** The time that the transcoder alone adds: an empty handler, over Connect JSON and REST on one server. */
export async function measureTranscoding(): Promise<Report> {
  const registry = buildRegistry(
    new URL("../../test/packages/connect-transcoding/library.proto", import.meta.url).pathname,
  );
  const service = registry.getService("library.v1.Library") as DescService;
  const routes = (router: ConnectRouter) => {
    router.service(service, { createBook: (book: unknown) => book } as never);
  };
  const app = fastify();
  app.register(fastifyConnectPlugin, { routes });
  app.register(transcodingPlugin, { routes, unknownBodyFields: "reject" });
  const client = httpClient(await app.listen({ port: 0, host: "127.0.0.1" }), { connections: PARALLEL });
  const measures: Measure[] = [];
  try {
    for (const chapters of [1, 20, 500]) {
      measures.push(...(await compare(client, chapters)));
    }
  } finally {
    client.close();
    await app.close();
  }
  return {
    measures,
    notes: [
      `${PARALLEL} calls at a time, client and server in one process; microseconds are the time of many calls divided by their number.`,
      "The two alternate in each round; a ratio is the median over the rounds.",
    ],
  };
}

async function compare(client: HttpClient, chapters: number): Promise<Measure[]> {
  const body = JSON.stringify({
    name: "shelves/1/books/2",
    title: "A title",
    pages: 123,
    copies: "9007199254740993",
    tags: ["a", "b", "c"],
    chapters: Array.from({ length: chapters }, (_, i) => ({ title: `chapter ${i}`, words: 1000 + i, score: 0.5 })),
  });
  const calls = Math.max(200, Math.round(CALLS / Math.sqrt(chapters)));
  const connect: number[] = [];
  const rest: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const taken = {
      connect: await perCall(client, "/library.v1.Library/CreateBook", body, calls),
      rest: await perCall(client, "/v1/books", body, calls),
    };
    // The first round warms up.
    if (round < 0) {
      continue;
    }
    connect.push(taken.connect);
    rest.push(taken.rest);
  }
  const size = `${body.length.toLocaleString("en")} bytes`;
  const ratios = rest.map((us, round) => us / (connect[round] as number));
  return [
    { name: `Connect JSON, ${size}`, unit: "µs", ...summarise(connect) },
    { name: `REST, ${size}`, unit: "µs", ...summarise(rest) },
    { name: `REST / Connect JSON, ${size}`, unit: "x", ...summarise(ratios), goal: { most: 1.25 } },
  ];
}

/** Measures the microseconds of a call. */
async function perCall({ post }: HttpClient, path: string, body: string, calls: number): Promise<number> {
  const began = performance.now();
  const workers = Array.from({ length: PARALLEL }, async () => {
    for (let i = 0; i < calls / PARALLEL; i++) {
      await post(path, body);
    }
  });
  await Promise.all(workers);
  return ((performance.now() - began) * 1_000) / calls;
}
