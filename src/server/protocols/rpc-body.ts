import type { IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import type { DescMethod, JsonValue } from "@bufbuild/protobuf";
import { Code, type ConnectError } from "@connectrpc/connect";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";
import type { FastifyRequest } from "fastify";
import { ErrorInfoSchema } from "../../../gen/google/rpc/error_details_pb.ts";
import {
  type BodyRoom,
  type CheckValues,
  describeProblem,
  type FieldProblem,
} from "../../../packages/connect-transcoding/src/index.ts";
import {
  clientGone,
  createJsonValidator,
  type JsonValidator,
  readBody,
  readJsonBody,
  scanJson,
  violationsError,
} from "../../../packages/connect-transcoding/src/tools.ts";
import { invalidRequest, ServiceError } from "../../error.ts";
import { eachUntilAborted } from "../../pace/index.ts";
import { type EncodedMessageCheck, encodedMessageCheck, maxBodyBytes, toConnectError } from "../../rpc/index.ts";

/** Options of RpcBody. */
export interface RpcBodyOptions {
  method: DescMethod;
  /** Finds invalid values of the right type in JSON messages. */
  checkValues: CheckValues;
}

/**
 * Reads and checks the bodies of one method's calls before Connect does: the validator of REST checks JSON, so
 * that all problems are reported at once with their fields. Sizes and costs are checked before anything is decoded.
 */
export class RpcBody {
  readonly #method: DescMethod;
  readonly #maxBytes: number;
  readonly #checkBody: EncodedMessageCheck | undefined;
  readonly #validate: JsonValidator;
  readonly #checkValues: CheckValues;

  constructor({ method, checkValues }: RpcBodyOptions) {
    this.#method = method;
    this.#maxBytes = maxBodyBytes(method);
    this.#checkBody = encodedMessageCheck(method);
    this.#validate = createJsonValidator(method.input, { finiteNumbersOnly: true });
    this.#checkValues = checkValues;
  }

  /**
   * The body as Connect takes it: the message of a unary Connect call as JSON or bytes, a stream in other protocols,
   * undefined for GET.
   *
   * @throws ConnectError INVALID_REQUEST, BODY_TOO_LARGE, OVERLOADED, or DEADLINE_EXCEEDED if the caller's time is over
   *   before the body has arrived. Streams throw it when they are read.
   */
  async read(request: FastifyRequest, room: BodyRoom): Promise<unknown> {
    if (request.method === "GET") {
      this.#checkQuery(request);
      return undefined;
    }
    const type = mediaType(request.headers);
    if (type === "application/json" || type === "application/proto") {
      const bytes = await readBody(request.raw, this.#maxBytes, room);
      const isJson = type === "application/json";
      this.#checkBody?.(bytes, isJson ? "json" : "proto");
      return isJson ? this.#checkedJson(bytes) : bytes;
    }
    room.check(Number(request.headers["content-length"] ?? 0));
    const sent = this.#counted(bodyOf(request), room);
    return takesOne(this.#method) ? this.#checkedMessage(sent, request.headers, room) : sent;
  }

  /** The message of a Connect GET is checked too where it is plain JSON. */
  #checkQuery(request: FastifyRequest): void {
    const query = new URL(request.raw.url ?? "/", "http://localhost").searchParams;
    const message = query.get("message");
    const isPlain = query.get("encoding") === "json" && query.get("base64") !== "1" && !query.has("compression");
    if (message !== null && isPlain) {
      this.#checkedJson(Buffer.from(message));
    }
  }

  /** A JSON message for protobuf-es. @throws ConnectError with all violations. */
  #checkedJson(bytes: Uint8Array): JsonValue {
    const problems: FieldProblem[] = [];
    // Connect reads an empty body as an empty message.
    const value = bytes.length === 0 ? {} : readJsonBody(bytes, this.#validate, problems);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const violations = isObject ? this.#checkValues(this.#method, value, new Set(Object.keys(value))) : [];
    if (problems.length > 0 || violations.length > 0) {
      throw violationsError(problems, describeProblem, violations);
    }
    return value as JsonValue;
  }

  async *#counted(body: AsyncIterable<Uint8Array>, room: BodyRoom): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    try {
      for await (const chunk of body) {
        bytes += chunk.byteLength;
        if (bytes > this.#maxBytes + FRAME_BYTES) {
          throw rpcBodyTooLarge(this.#maxBytes);
        }
        room.take(chunk.byteLength);
        yield chunk;
      }
    } catch (error) {
      room.leave();
      throw isClientGone(error) ? clientGone() : error;
    }
  }

  /** The one message of a gRPC or gRPC-Web call, decompressed and checked before it is decoded. */
  async *#checkedMessage(
    body: AsyncIterable<Uint8Array>,
    headers: IncomingHttpHeaders,
    room: BodyRoom,
  ): AsyncGenerator<Uint8Array> {
    const sent = await buffer(body);
    const compression = compressions.find(({ name }) => name === headers["grpc-encoding"]);
    const isCompressed = ((sent[0] ?? 0) & COMPRESSED) !== 0;
    // Connect refuses a body that is not one envelope, or has another encoding.
    const isEnvelope = sent.length >= FRAME_BYTES && sent.readUInt32BE(1) === sent.length - FRAME_BYTES;
    if (!isEnvelope || (isCompressed && compression === undefined)) {
      yield sent;
      return;
    }
    let message: Uint8Array = sent.subarray(FRAME_BYTES);
    if (isCompressed && compression !== undefined) {
      // Room for the largest result, because its size is known only afterwards.
      room.take(this.#maxBytes);
      try {
        const compressedBytes = message.byteLength;
        message = await compression.decompress(message, this.#maxBytes);
        room.give(compressedBytes + this.#maxBytes - message.byteLength);
      } catch (error) {
        room.leave();
        throw error;
      }
    }
    const isJson = mediaType(headers).endsWith("+json");
    this.#checkBody?.(message, isJson ? "json" : "proto");
    if (isJson) {
      checkScan(message);
    }
    const frame = Buffer.alloc(FRAME_BYTES);
    frame.writeUInt32BE(message.byteLength, 1);
    yield Buffer.concat([frame, message]);
  }
}

const compressions = [compressionGzip, compressionBrotli];

/** Bytes that frame one message in gRPC and gRPC-Web. */
const FRAME_BYTES = 5;
/** Bit of an envelope's flags: the message is compressed. */
const COMPRESSED = 1;

function mediaType(headers: IncomingHttpHeaders): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** The body until the caller's deadline. A handler may stop reading it at any time without ending the connection. */
function bodyOf({ raw, deadline }: Pick<FastifyRequest, "raw" | "deadline">): AsyncIterable<Uint8Array> {
  const body: AsyncIterable<Uint8Array> = raw.iterator({ destroyOnReturn: false });
  return deadline === undefined ? body : eachUntilAborted(deadline, body);
}

/** Whether reading a body failed because the client left: in HTTP/2, or in HTTP/1.1. */
function isClientGone(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ECONNRESET";
}

/** Whether a call of a method has one message, which is complete when the body is. */
function takesOne({ methodKind }: DescMethod): boolean {
  return methodKind === "unary" || methodKind === "server_streaming";
}

/** Refuses JSON text that takes JSON.parse() too long. @throws ConnectError INVALID_REQUEST */
function checkScan(bytes: Uint8Array): void {
  const { excess } = scanJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  if (excess === undefined) {
    return;
  }
  throw toConnectError(invalidRequest([{ field: excess.field, description: `expected ${excess.expected}` }]));
}

/** Whether an error is Connect's own about a message above readMaxBytes. All of ours have an ErrorInfo. */
export function isTooLarge(error: ConnectError): boolean {
  return error.code === Code.ResourceExhausted && error.findDetails(ErrorInfoSchema).length === 0;
}

/** BODY_TOO_LARGE with the limit in bytes. In REST, where a body that is too large is a 413, complete-error.ts makes it. */
export function rpcBodyTooLarge(maxBytes: number): ConnectError {
  return toConnectError(
    new ServiceError("BODY_TOO_LARGE", { limit: String(maxBytes) }, { metadata: { limit_bytes: String(maxBytes) } }),
  );
}
