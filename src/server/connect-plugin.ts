import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import type { DescMethod, JsonValue } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ConnectRouter,
  type ConnectRouterOptions,
  createConnectRouter,
} from "@connectrpc/connect";
import type { Compression, UniversalHandler } from "@connectrpc/connect/protocol";
import { codeToHttpStatus } from "@connectrpc/connect/protocol-connect";
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { invalidRequest, ServiceError } from "../error.ts";
import { checkBody, handlerReachedKey, maxBodyBytes, methodAccess, readLimits, toConnectError } from "../rpc/index.ts";
import {
  type BodyRoom,
  type CheckValues,
  createJsonValidator,
  describeProblem,
  type FieldProblem,
  HttpError,
  type JsonValidator,
  leaveUnread,
  readBody,
  readJsonBody,
  scanJson,
  violationsError,
} from "../transcoding/index.ts";
import { completeError, completeReadError } from "./errors/complete-error.ts";
import { completeResponse } from "./errors/complete-response.ts";
import { frameworkError, sendError } from "./errors/send-error.ts";
import type { Identity } from "./identity/identity.ts";
import { noteError } from "./observe/request-record.ts";
import { dropEndlessTimeout } from "./request-headers.ts";

/** What the Connect plugin serves and with which limits. */
export interface ConnectPluginOptions {
  routes: (router: ConnectRouter) => void;
  connect: ConnectRouterOptions;
  identity: Pick<Identity, "admit" | "addLimits">;
  /** The memory that the body of a request may occupy. */
  bodyRoom: (request: FastifyRequest, reply: FastifyReply) => BodyRoom;
  /** Finds what is wrong with values of the right type in JSON messages. */
  checkValues: CheckValues;
}

/**
 * Serves gRPC, gRPC-Web and Connect. Differs from @connectrpc/connect-fastify in what is checked before a handler
 * runs: JSON bodies by the validator that REST uses, so that all problems are told at once by their fields, and sizes,
 * so that a body that is too large gets the same error everywhere.
 */
export async function connectPlugin(instance: FastifyInstance, options: ConnectPluginOptions): Promise<void> {
  const createRouter = (maxBytes: number) => {
    const router = createConnectRouter({
      ...options.connect,
      acceptCompression: compressions.map((compression) => limited(compression, maxBytes)),
      // Bodies are counted below, where a body that is too large can be given our error.
      readMaxBytes: 2 ** 31 - 1,
    });
    options.routes(router);
    return router;
  };
  const limits = new Set(createRouter(0).handlers.map(({ method }) => maxBodyBytes(method)));
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));
  instance.setErrorHandler((thrown, request, reply) => {
    const { error, status } = frameworkError(thrown, request);
    return sendError(error, request, reply, status);
  });
  // What decompresses does not know of methods, so that those of another limit have a router of their own.
  const handlers = [...limits].flatMap((maxBytes) =>
    createRouter(maxBytes).handlers.filter(({ method }) => maxBodyBytes(method) === maxBytes),
  );
  for (const handler of handlers) {
    const { method } = handler;
    const check = {
      method,
      validate: createJsonValidator(method.input, { finiteNumbersOnly: true }),
      checkValues: options.checkValues,
    };
    const config: FastifyContextConfig = methodAccess(method).isOpen ? { audience: "monitors" } : {};
    // As a method without a tier, a request whose fields declare no limits stops the start.
    readLimits(method.input);
    instance.all(handler.requestPath, { config }, (request, reply) => serve(handler, check, request, reply, options));
  }
}

interface JsonCheck {
  method: DescMethod;
  validate: JsonValidator;
  checkValues: CheckValues;
}

async function serve(
  handler: UniversalHandler,
  check: JsonCheck,
  request: FastifyRequest,
  reply: FastifyReply,
  { identity, bodyRoom }: ConnectPluginOptions,
): Promise<FastifyReply> {
  const maxBytes = maxBodyBytes(check.method);
  const values = identity.admit(request, reply, check.method);
  if (!handler.allowedMethods.includes(request.method)) {
    const refusal = new HttpError(405, Code.Unimplemented, `${handler.requestPath} does not allow ${request.method}`);
    return sendError(refusal, request, reply.header("allow", handler.allowedMethods.join(", ")), 405);
  }
  if (request.method !== "GET" && !handler.supportedContentType(request.headers["content-type"] ?? "")) {
    return unsupported(request, reply);
  }
  const room = bodyRoom(request, reply);
  const body = await checkedBody(check, request, maxBytes, room);
  const call = universalRequestFromNodeRequest(request.raw, reply.raw, body.json, values);
  dropEndlessTimeout(call.header);
  // What was read here was decompressed here too.
  if (body.bytes !== undefined || body.json !== undefined) {
    call.header.delete("content-encoding");
  }
  if (body.bytes !== undefined) {
    call.body = once(body.bytes);
  } else if (body.json === undefined) {
    room.check(Number(request.headers["content-length"] ?? 0));
    const sent = counted(bodyOf(request.raw), maxBytes, room);
    call.body = takesOne(check.method) ? checkedMessage(sent, check.method, request.headers, maxBytes, room) : sent;
    leaveUnread(request.raw);
    if (!("stream" in reply.raw)) {
      reply.raw.once("finish", () => request.raw.resume());
    }
  }
  const handled = await handler(call);
  if (handled.status === 415) {
    return unsupported(request, reply);
  }
  const response = await completeResponse(handled, request.headers["content-type"] ?? "", (error) => {
    const told = values.get(handlerReachedKey)
      ? completeError(error, codeToHttpStatus(error.code), request.id)
      : completeReadError(error);
    noteError(request, told);
    return told;
  });
  if (!values.get(handlerReachedKey)) {
    await identity.addLimits(request, reply);
  }
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) {
      reply.raw.setHeader(name, value);
    }
  }
  reply.hijack();
  await universalResponseToNodeResponse(response, reply.raw);
  return reply;
}

function unsupported(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // A Connect GET names the type of its message in the query.
  const type = request.method === "GET" ? "of the query" : JSON.stringify(request.headers["content-type"] ?? "");
  return sendError(toConnectError(new ServiceError("UNSUPPORTED_MEDIA_TYPE", { type })), request, reply, 415);
}

/** The body where it is one message of Connect's unary protocol: checked JSON, or bytes within the limit. */
async function checkedBody(
  check: JsonCheck,
  request: FastifyRequest,
  maxBytes: number,
  room: BodyRoom,
): Promise<{ json?: JsonValue; bytes?: Uint8Array }> {
  if (request.method === "GET") {
    checkQuery(check, request);
    return {};
  }
  const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json" && type !== "application/proto") {
    return {};
  }
  const bytes = await readBody(request.raw, maxBytes, room);
  checkBody(check.method, bytes, type === "application/json" ? "json" : "proto");
  return type === "application/json" ? { json: checkedJson(check, bytes) } : { bytes };
}

/** The message of a Connect GET is checked too where it is plain JSON. */
function checkQuery(check: JsonCheck, request: FastifyRequest): void {
  const query = new URL(request.raw.url ?? "/", "http://localhost").searchParams;
  const message = query.get("message");
  if (message === null || query.get("encoding") !== "json" || query.get("base64") === "1" || query.has("compression")) {
    return;
  }
  checkedJson(check, Buffer.from(message));
}

/** A JSON message as protobuf-es takes it. @throws ConnectError with everything that is wrong with it. */
function checkedJson({ method, validate, checkValues }: JsonCheck, bytes: Uint8Array): JsonValue {
  const problems: FieldProblem[] = [];
  // Connect takes an empty body for an empty message.
  const value = bytes.length === 0 ? {} : readJsonBody(bytes, validate, problems);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const violations = isObject ? checkValues(method, value, new Set(Object.keys(value))) : [];
  if (problems.length > 0 || violations.length > 0) {
    throw violationsError(problems, describeProblem, violations);
  }
  return value as JsonValue;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const compressions = [compressionGzip, compressionBrotli];

/** Bytes that frame one message in gRPC and gRPC-Web. */
const FRAME_BYTES = 5;

/** The body, of which a handler may stop reading at any time without ending the connection. */
function bodyOf(request: IncomingMessage): AsyncIterable<Uint8Array> {
  return request.iterator({ destroyOnReturn: false });
}

/** Whether a call of a method has one message, which is there when the body is. */
function takesOne({ methodKind }: DescMethod): boolean {
  return methodKind === "unary" || methodKind === "server_streaming";
}

async function* counted(body: AsyncIterable<Uint8Array>, maxBytes: number, room: BodyRoom): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes + FRAME_BYTES) {
        throw bodyTooLarge(maxBytes);
      }
      room.take(chunk.byteLength);
      yield chunk;
    }
  } catch (error) {
    room.leave();
    throw error;
  }
}

/** Bit of an envelope's flags: the message is compressed. */
const COMPRESSED = 1;

/** The one message of a gRPC or gRPC-Web call, looked at before it is decoded, and not compressed any more. */
async function* checkedMessage(
  body: AsyncIterable<Uint8Array>,
  method: DescMethod,
  headers: IncomingHttpHeaders,
  maxBytes: number,
  room: BodyRoom,
): AsyncGenerator<Uint8Array> {
  const sent = await buffer(body);
  const encoding = headers["grpc-encoding"];
  const compression = compressions.find(({ name }) => name === encoding);
  const isCompressed = ((sent[0] ?? 0) & COMPRESSED) !== 0;
  // What is none or of another encoding is told by who reads envelopes.
  if (
    sent.length < FRAME_BYTES ||
    sent.readUInt32BE(1) !== sent.length - FRAME_BYTES ||
    (isCompressed && !compression)
  ) {
    yield sent;
    return;
  }
  const inner = sent.subarray(FRAME_BYTES);
  let message: Uint8Array = inner;
  if (isCompressed && compression) {
    // How much comes out is known when it is out.
    room.take(maxBytes);
    try {
      message = await limited(compression, maxBytes).decompress(inner, maxBytes);
    } catch (error) {
      room.leave();
      throw error;
    }
    room.give(inner.byteLength + maxBytes - message.byteLength);
  }
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
  const isJson = type.endsWith("+json");
  checkBody(method, message, isJson ? "json" : "proto");
  if (isJson) {
    checkScan(message);
  }
  const frame = Buffer.alloc(FRAME_BYTES);
  frame.writeUInt32BE(message.byteLength, 1);
  yield Buffer.concat([frame, message]);
}

/** Refuses JSON text that JSON.parse() would take long for. @throws ConnectError INVALID_REQUEST */
function checkScan(bytes: Uint8Array): void {
  const { excess } = scanJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  if (excess === undefined) {
    return;
  }
  throw toConnectError(invalidRequest([{ field: excess.field, description: `expected ${excess.expected}` }]));
}

function limited(compression: Compression, maxBytes: number): Compression {
  return {
    ...compression,
    async decompress(bytes) {
      try {
        return await compression.decompress(bytes, maxBytes);
      } catch (error) {
        throw ConnectError.from(error).code === Code.ResourceExhausted ? bodyTooLarge(maxBytes) : error;
      }
    },
  };
}

function bodyTooLarge(maxBytes: number): ConnectError {
  return toConnectError(
    new ServiceError("BODY_TOO_LARGE", { limit: String(maxBytes) }, { metadata: { limit_bytes: String(maxBytes) } }),
  );
}
