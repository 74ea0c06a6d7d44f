import type { Registry } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter, type ConnectRouterOptions } from "@connectrpc/connect";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type BodyRoom, httpStatus } from "../../../packages/connect-transcoding/src/index.ts";
import { parseJson, readBody } from "../../../packages/connect-transcoding/src/tools.ts";
import type { Config } from "../../config/index.ts";
import { ServiceError } from "../../error.ts";
import type { Toolbox } from "../../mcp/index.ts";
import { callerError, toConnectError } from "../../rpc/index.ts";
import type { AdmitCall } from "../callers/admit-calls.ts";
import { describedContract } from "../docs/create-api-document.ts";
import { completeError } from "../errors/complete-error.ts";
import { mcpPath, sendError } from "../errors/send-error.ts";
import { noteError } from "../observe/request-record.ts";
import { whenClosed } from "../request-lifetime.ts";

/** Options of mcpRoutes(). */
export interface McpRoutesOptions {
  routes: (router: ConnectRouter) => void;
  connect: Pick<ConnectRouterOptions, "interceptors" | "shutdownSignal">;
  registry: Registry;
  admit: AdmitCall;
  /** The memory for the body of a request. */
  bodyRoom: (request: FastifyRequest, reply: FastifyReply) => BodyRoom;
  config: Pick<Config, "corsOrigins" | "publicUrl">;
  /** Whether the Host and the Origin of every request are checked already. */
  isGuarded: boolean;
}

/** Largest message in bytes, after decompression: that of the largest request of a tool, with its envelope. */
const MAX_MESSAGE_BYTES = 65_536;

/** Codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/**
 * Serves the Model Context Protocol over streamable HTTP without sessions, so that any replica answers any request. A
 * message comes by POST and is answered in its response; there are no streams and no messages from the server. The
 * caller, the limits and the errors of tools are those of all protocols.
 */
export async function mcpRoutes(instance: FastifyInstance, options: McpRoutesOptions): Promise<void> {
  const { admit, bodyRoom, config, isGuarded } = options;
  // The library takes a quarter of a second to load, and many services have no agents.
  let opened: Promise<Opened> | undefined;

  // The body is read below, with the limits of all protocols.
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));

  instance.addHook("onRequest", async (request, reply) => {
    if (!isGuarded && isForeign(request, config)) {
      return sendError(toConnectError(new ServiceError("CROSS_SITE_REFUSED")), request, reply);
    }
  });

  instance.post(mcpPath, async (request, reply) => {
    const bytes = await readBody(request.raw, MAX_MESSAGE_BYTES, bodyRoom(request, reply));
    const message = readMessage(bytes);
    if ("problem" in message) {
      const { problem, code } = message;
      noteError(request, toConnectError(new ServiceError("MALFORMED_REQUEST", { problem })));
      return reply.code(400).send({ jsonrpc: "2.0", id: null, error: { code, message: problem } });
    }
    opened ??= open(options);
    const { mcp, toolbox, sdk } = await opened;
    const handler = sdk.createMcpHandler(
      () =>
        mcp.createMcpServer(toolbox, {
          admit: (method) => admit(request, reply, method),
          toCallerError(thrown) {
            const error = callerError(thrown, request.id);
            const completed = completeError(error, httpStatus(error.code), request.id);
            noteError(request, completed);
            return completed;
          },
        }),
      { onerror: (error) => request.log.debug({ err: error }, "a message of the Model Context Protocol was refused") },
    );
    const response = await handler.fetch(webRequest(request, reply), { parsedBody: message.body });
    // The whole body can be read: the server sends nothing before its answer, and every answer ends.
    const body = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get("content-type");
    return (type === null ? reply : reply.header("content-type", type)).code(response.status).send(body);
  });

  instance.route({
    method: instance.supportedMethods.filter((method) => method !== "POST" && method !== "OPTIONS"),
    url: mcpPath,
    handler(request, reply) {
      const params = { method: request.method, path: mcpPath, allow: "POST" };
      const error = toConnectError(new ServiceError("METHOD_NOT_ALLOWED", params));
      return sendError(error, request, reply.header("allow", params.allow), 405);
    },
  });
}

interface Opened {
  mcp: typeof import("../../mcp/index.ts");
  sdk: typeof import("@modelcontextprotocol/server");
  toolbox: Toolbox;
}

async function open({ routes, connect, registry }: McpRoutesOptions): Promise<Opened> {
  const [mcp, sdk] = await Promise.all([import("../../mcp/index.ts"), import("@modelcontextprotocol/server")]);
  const toolbox = new mcp.Toolbox({ routes, connect, registry, contract: describedContract(routes) });
  return { mcp, sdk, toolbox };
}

/**
 * Whether a request is from a web page that may not call the service. Browsers send an Origin with every POST, also to
 * the page's own host, so this holds against DNS rebinding where the names of the service are not known.
 */
function isForeign({ headers }: FastifyRequest, { corsOrigins, publicUrl }: McpRoutesOptions["config"]): boolean {
  const { origin } = headers;
  const own = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  return origin !== undefined && origin !== own && !corsOrigins.includes("*") && !corsOrigins.includes(origin);
}

/** The one JSON-RPC message of a body, or why there is none. */
function readMessage(bytes: Uint8Array): { body: unknown } | { problem: string; code: number } {
  let parsed: ReturnType<typeof parseJson>;
  try {
    parsed = parseJson(Buffer.from(bytes).toString("utf8"));
  } catch (error) {
    if (!(error instanceof SyntaxError)) {
      throw error;
    }
    return { problem: "the body is not JSON", code: PARSE_ERROR };
  }
  const { value, excess, duplicates } = parsed;
  if (excess !== undefined) {
    return { problem: `the body must have ${excess.expected}`, code: INVALID_REQUEST };
  }
  if (duplicates.length > 0) {
    return { problem: `the body has ${duplicates[0]} more than once`, code: INVALID_REQUEST };
  }
  if (Array.isArray(value)) {
    return { problem: "the body is a list; send one message in each request", code: INVALID_REQUEST };
  }
  return { body: value };
}

/** The request without its body, for the library. */
function webRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const left = new AbortController();
  whenClosed(reply, () => left.abort(new ConnectError("the caller has left", Code.Canceled)));
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // HTTP/2 has pseudo-headers, which Headers refuses.
    if (!name.startsWith(":") && value !== undefined) {
      headers.set(name, [value].flat().join(", "));
    }
  }
  return new Request(`http://localhost${mcpPath}`, { method: "POST", headers, signal: left.signal });
}
