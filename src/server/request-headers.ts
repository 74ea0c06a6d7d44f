import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type DescMethod, getOption, hasOption, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { parseTimeout } from "@connectrpc/connect/protocol-grpc";
import type { FastifyReply, FastifyRequest } from "fastify";
import { resume_field as resumeField } from "../../gen/modelscout/v1/options_pb.ts";
import { ServiceError } from "../error.ts";
import { toConnectError } from "../rpc/index.ts";
import { keyText } from "../text/index.ts";

/**
 * The caller's x-request-id where it is 1 to 128 of [A-Za-z0-9._-], else a new one. It is repeated in answers and logs,
 * so one that has a key in it is replaced too.
 */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers["x-request-id"];
  const isUsable = typeof given === "string" && /^[A-Za-z0-9._-]{1,128}$/.test(given) && !keyText.test(given);
  return isUsable ? given : randomUUID();
}

declare module "fastify" {
  interface FastifyRequest {
    /** Aborts when the time is over that the caller gave; undefined where it gave none. */
    deadline: AbortSignal | undefined;
  }
}

/** The longest that timers take; no call goes on for so long. */
const MOST_MS = 2 ** 31 - 1;

/**
 * A signal that aborts with what the caller is told when the time is over that it gave in `grpc-timeout` or
 * `connect-timeout-ms`, counted from here. Undefined without one, and for one that cannot be read: it is refused where
 * the protocol is known.
 */
export function requestDeadline(
  { headers }: Pick<FastifyRequest, "headers">,
  reply: FastifyReply,
): AbortSignal | undefined {
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
  reply.raw.once("close", () => clearTimeout(timer));
  return controller.signal;
}

/** Takes out a time that is longer than timers take: Connect's would be over at once. */
export function dropEndlessTimeout(header: Headers): void {
  const ms = timeoutOf(Object.fromEntries(header));
  if (ms === undefined || ms <= MOST_MS) {
    return;
  }
  header.delete("grpc-timeout");
  header.delete("connect-timeout-ms");
}

/** The caller's timeout in milliseconds, which may be a fraction; undefined where none can be read. */
function timeoutOf(headers: IncomingHttpHeaders): number | undefined {
  const { timeoutMs } = parseTimeout(String(headers["grpc-timeout"] ?? ""), Number.POSITIVE_INFINITY);
  if (timeoutMs !== undefined) {
    return timeoutMs;
  }
  const ms = String(headers["connect-timeout-ms"] ?? "");
  return /^\d{1,10}$/.test(ms) ? Number(ms) : undefined;
}

/** The place in a stream after a message: its cursor, or that of the member of its oneof. Undefined where the method's stream cannot be resumed. */
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

/** Lets the request of a stream go on behind a cursor. */
export function resumeBehind(request: Message, cursor: string, method: DescMethod): void {
  const field = method.input.fields.find(({ name }) => name === getOption(method, resumeField));
  if (field?.fieldKind === "scalar") {
    reflect(method.input, request).set(field, cursor);
  }
}
