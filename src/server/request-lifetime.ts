import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import { type DescMethod, getOption, hasOption, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { parseTimeout } from "@connectrpc/connect/protocol-grpc";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { resume_field as resumeField } from "../../gen/modelscout/v1/options_pb.ts";
import { ServiceError } from "../error.ts";
import { toConnectError } from "../rpc/index.ts";
import { keyText } from "../text/index.ts";

/**
 * The caller's x-request-id if it is 1 to 128 of [A-Za-z0-9._-], else a new one. Answers and logs repeat it, so one with
 * a key in it is replaced too.
 */
export function requestIdOf({ headers }: Pick<IncomingMessage, "headers">): string {
  const given = headers["x-request-id"];
  const isUsable = typeof given === "string" && /^[A-Za-z0-9._-]{1,128}$/.test(given) && !keyText.test(given);
  return isUsable ? given : randomUUID();
}

declare module "fastify" {
  interface FastifyRequest {
    /** Aborts at the caller's deadline, with the error for the caller. Undefined if the caller set no deadline. */
    deadline: AbortSignal | undefined;
  }
}

/** Starts the deadline of every request, and sets the headers of every answer. */
export function beginRequests(server: FastifyInstance): void {
  server.decorateRequest("deadline", undefined);
  server.addHook("onRequest", (request, reply, done) => {
    request.deadline = requestDeadline(request, reply);
    reply.headers(commonHeaders(request.id));
    done();
  });
}

/** The headers of every answer, in every protocol. Browsers must not guess another type than the answer names. */
export function commonHeaders(requestId: string): Record<string, string> {
  return { "x-request-id": requestId, "x-content-type-options": "nosniff" };
}

/** The longest time of a timer; no call takes that long. */
const MOST_MS = 2 ** 31 - 1;

/**
 * A signal that aborts, with the error for the caller, after the time in `grpc-timeout` or `connect-timeout-ms`, from
 * now on. Undefined without a time, and for one that cannot be read: the protocol's handler refuses that.
 */
function requestDeadline({ headers }: Pick<FastifyRequest, "headers">, reply: FastifyReply): AbortSignal | undefined {
  const ms = timeoutOf(headers);
  if (ms === undefined || ms > MOST_MS) {
    return undefined;
  }
  const controller = new AbortController();
  const params = { ms: String(ms) };
  const expire = () =>
    controller.abort(
      toConnectError(new ServiceError("DEADLINE_EXCEEDED", params, { metadata: { timeout_ms: String(ms) } })),
    );
  const timer = setTimeout(expire, ms);
  whenClosed(reply, () => clearTimeout(timer));
  return controller.signal;
}

/** Node warns of a leak from eleven listeners on. A request in flight has about a dozen, each of another part. */
const MOST_LISTENERS = 32;

/** Calls back when the answer is sent or the client has left; at once if this has already happened. */
export function whenClosed({ raw }: Pick<FastifyReply, "raw">, then: () => void): void {
  // Responses over HTTP/2 have no such property.
  const isClosed = "stream" in raw ? (raw.stream as ServerHttp2Stream).destroyed : raw.closed;
  if (isClosed) {
    then();
  } else {
    raw.setMaxListeners(MOST_LISTENERS).once("close", then);
  }
}

/** Removes a time that is longer than a timer can take: Connect's timer would end at once. */
export function dropEndlessTimeout(header: Headers): void {
  const ms = timeoutOf(Object.fromEntries(header));
  if (ms === undefined || ms <= MOST_MS) {
    return;
  }
  header.delete("grpc-timeout");
  header.delete("connect-timeout-ms");
}

/** The caller's timeout in milliseconds, which may be a fraction; undefined if none can be read. */
function timeoutOf(headers: IncomingHttpHeaders): number | undefined {
  const sent = headers["grpc-timeout"];
  // Of an absent time it makes nothing; of an empty one it makes an error with a stack.
  const { timeoutMs } = parseTimeout(sent === undefined ? null : String(sent), Number.POSITIVE_INFINITY);
  if (timeoutMs !== undefined) {
    return timeoutMs;
  }
  const ms = String(headers["connect-timeout-ms"] ?? "");
  return /^\d{1,10}$/.test(ms) ? Number(ms) : undefined;
}

/** The cursor of a message, or of the member of its oneof. Undefined if the method's stream cannot be resumed. */
export function cursorOf(message: Message, _desc: unknown, method: DescMethod): string | undefined {
  if (!hasOption(method, resumeField)) {
    return undefined;
  }
  const reader = reflect(method.output, message);
  for (const oneof of method.output.oneofs) {
    const member = reader.oneofCase(oneof);
    if (member?.fieldKind !== "message") {
      continue;
    }
    const inner = reader.get(member);
    const cursor = member.message.field.cursor;
    if (cursor?.fieldKind === "scalar") {
      return String(inner.get(cursor));
    }
  }
  return undefined;
}

/** Sets the request of a stream to resume after a cursor. */
export function resumeBehind(request: Message, cursor: string, method: DescMethod): void {
  const field = method.input.fields.find(({ name }) => name === getOption(method, resumeField));
  if (field?.fieldKind === "scalar") {
    reflect(method.input, request).set(field, cursor);
  }
}
