import { setTimeout as sleep } from "node:timers/promises";
import { create, type DescMessage, type DescService } from "@bufbuild/protobuf";
import { ConnectError, type HandlerContext, type Interceptor } from "@connectrpc/connect";
import { codeFromString } from "@connectrpc/connect/protocol-connect";
import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import type { FastifyInstance } from "fastify";
import type { ServedOptions } from "../serve-transcoder.ts";
import { conformanceRoutes, type HandlerOverrides, itemFor } from "./handlers.ts";
import type { Recorder } from "./recorder.ts";

/** Additions of a case of the group "host" to the normal server. */
export interface HostSetup {
  readonly overrides?: HandlerOverrides;
  readonly options?: Partial<ServedOptions>;
  readonly body?: string;
  /** What the application of the plugin has besides. A plain handler has no application around it. */
  readonly prepare?: (app: FastifyInstance) => void;
}

const KILOBYTES = "x".repeat(10_000);

function waitFor(context: HandlerContext): Promise<never> {
  return new Promise((_, reject) => {
    context.signal.addEventListener("abort", () => reject(context.signal.reason), { once: true });
  });
}

function connectError(code: string, metadata?: Record<string, string>): ConnectError {
  return new ConnectError("boom", codeFromString(code), metadata);
}

/** Reads the host's additions from the words of a case. Throws for unknown words. */
export function hostSetup(words: string, service: DescService, recorder: Recorder): HostSetup {
  const item = service.method.getItem!.output;
  for (const [pattern, setup] of SETUPS) {
    const match = pattern.exec(words);
    if (match !== null) {
      return setup(match.slice(1), { item, service, recorder });
    }
  }
  throw new Error(`unknown handler: ${words}`);
}

interface SetupContext {
  readonly item: DescMessage;
  readonly service: DescService;
  readonly recorder: Recorder;
}

const SETUPS: readonly [RegExp, (groups: string[], context: SetupContext) => HostSetup][] = [
  [
    /^(\w+) throws new Error\('(.*)'\)$/,
    ([rpc = "", message]) => ({
      overrides: {
        [rpc]: () => {
          throw new Error(message);
        },
      },
    }),
  ],
  [
    /^(\w+) sets response (header|trailer) (\S+): (.*)$/,
    ([rpc = "", where, name = "", value = ""], { item }) => ({
      overrides: {
        [rpc]: (_request, context: HandlerContext) => {
          (where === "header" ? context.responseHeader : context.responseTrailer).set(name, value);
          return itemFor(item, "7");
        },
      },
    }),
  ],
  [/^\w+ reads request header \S+$/, () => ({})],
  [
    /^(\w+) throws ConnectError\((\w+)\) with a detail whose type is not in the registry$/,
    ([rpc = "", code = ""]) => ({
      overrides: {
        [rpc]: () => {
          const error = connectError(code);
          error.details.push({ type: "test.Unknown", value: new Uint8Array([1, 2, 3]) });
          throw error;
        },
      },
    }),
  ],
  [
    /^(\w+) throws ConnectError\((\w+)\)(?: with metadata (\S+): (.*))?$/,
    ([rpc = "", code = "", name, value = ""]) => ({
      overrides: {
        [rpc]: () => {
          throw connectError(code, name === undefined ? {} : { [name]: value });
        },
      },
    }),
  ],
  [
    /^an interceptor on the Connect router throws ConnectError\((\w+)\)$/,
    ([code = ""]) => {
      const interceptor: Interceptor = () => () => {
        throw connectError(code);
      };
      return { options: { connect: { interceptors: [interceptor] } } };
    },
  ],
  [/^(\w+) waits for its signal$/, ([rpc = ""]) => ({ overrides: { [rpc]: (_request, context) => waitFor(context) } })],
  [
    /^(\w+) sends one message, then waits for its signal$/,
    ([rpc = ""], { item }) => ({
      overrides: {
        [rpc]: async function* (_request: unknown, context: HandlerContext) {
          yield itemFor(item, "7");
          await waitFor(context);
        },
      },
    }),
  ],
  [
    /^(\w+) sends one message, then waits a second before the next$/,
    ([rpc = ""], { item }) => ({
      overrides: {
        [rpc]: async function* () {
          yield itemFor(item, "1");
          await sleep(1000);
          yield itemFor(item, "2");
        },
      },
    }),
  ],
  [
    /^(\w+) sends (\d+) messages of 10 kB, the client does not read$/,
    ([rpc = "", count], { item, recorder }) => ({
      overrides: {
        [rpc]: async function* () {
          for (let i = 0; i < Number(count); i++) {
            recorder.produced += KILOBYTES.length;
            yield create(item, { title: KILOBYTES } as Record<string, unknown>);
          }
        },
      },
    }),
  ],
  [
    /^body limit (\d+) ([KM])iB, body (\d+) ([KM])iB of valid JSON$/,
    ([limit, limitUnit, size, sizeUnit]) => ({
      options: { readMaxBytes: Number(limit) * (limitUnit === "K" ? 1024 : 1024 ** 2) },
      body: JSON.stringify({ title: "x".repeat(Number(size) * (sizeUnit === "K" ? 1024 : 1024 ** 2)) }),
    }),
  ],
  [
    /^both plugins on one Fastify server$/,
    (_groups, { service, recorder }) => ({
      prepare: (app) => {
        app.register(fastifyConnectPlugin, { routes: conformanceRoutes(service, recorder) });
      },
    }),
  ],
  [/^REST plugin registered with prefix (\S+)$/, ([prefix = ""]) => ({ options: { prefix } })],
  [
    /^the application sets a not-found handler that answers (\d+)$/,
    ([status]) => ({
      prepare: (app) => {
        app.setNotFoundHandler((_request, reply) => reply.code(Number(status)).send("application"));
      },
    }),
  ],
  [
    /^the application has (\w+) (\S+?); REST has \w+ \S+$/,
    ([method = "", url = ""]) => ({
      prepare: (app) => {
        app.route({
          method,
          url,
          handler: (_request, reply) => reply.header("x-served-by", "application").send("app"),
        });
      },
    }),
  ],
  [
    // No message of the schema has an Any. A time beyond the range of ProtoJSON cannot be written either.
    /^(\w+) returns a message with a google\.protobuf\.Any of an unknown type$/,
    ([rpc = ""], { item }) => ({
      overrides: { [rpc]: () => create(item, { createdAt: { seconds: 10n ** 15n } } as Record<string, unknown>) },
    }),
  ],
];
