import Negotiator from "negotiator";
import type { MessageEdit } from "../request/bind-request.ts";
import type { Answer, Exchange } from "./exchange.ts";
import type { Host } from "./options.ts";
import { type OpenStream, openStream } from "./streams.ts";

/** Waits for a promise for at most `ms` (0: forever). Undefined if it is still pending then. */
export async function orTimeout<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  if (ms === 0) {
    return promise;
  }
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Serves a stream of messages as server-sent events, and an error as an event of the type "error". While no message
 * comes, comments keep the connection open. The first message or comment sends status 200. An earlier failure is
 * thrown, so that the caller can answer with an error.
 */
export async function serveEvents<H extends Host>(exchange: Exchange<H>): Promise<Answer> {
  const { incoming, sse } = exchange;
  const opening = openStream(exchange, resumption(exchange));
  const opened = await orTimeout(opening, sse.keepAliveMs);
  const ownHeader = {
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    // Without it nginx buffers the events.
    "x-accel-buffering": "no",
  };
  const head = { status: 200, header: opened?.header, ownHeader };
  if (incoming.method === "HEAD") {
    await opened?.messages.return();
    return { ...head, body: undefined };
  }
  return { ...head, body: events(exchange, opening) };
}

function resumption<H extends Host>({ incoming, sse, route }: Exchange<H>): MessageEdit | undefined {
  const lastEventId = incoming.header("last-event-id");
  const { resume } = sse;
  return resume !== undefined && lastEventId !== undefined && lastEventId !== ""
    ? (message) => resume(message, lastEventId, route.binding.method)
    : undefined;
}

const KEEP_ALIVE = Buffer.from(": keep-alive\n\n");

async function* events<H extends Host>(
  exchange: Exchange<H>,
  opening: Promise<OpenStream>,
): AsyncGenerator<Uint8Array> {
  const { route, incoming, errors, sse } = exchange;
  let messages: OpenStream["messages"] | undefined;
  try {
    let next = opening.then((opened) => {
      messages = opened.messages;
      return opened.first;
    });
    for (;;) {
      const result = await orTimeout(next, sse.keepAliveMs);
      if (result === undefined) {
        yield KEEP_ALIVE;
      } else if (result.done) {
        return;
      } else {
        yield formatEvent(exchange, result.value);
        next = messages!.next();
      }
    }
  } catch (error) {
    yield Buffer.from(`event: error\ndata: ${errors.inStream(error, incoming.host, route.binding.method)}\n\n`);
  } finally {
    await messages?.return();
  }
}

const END = Buffer.from("\n\n");

function formatEvent<H extends Host>({ route, sse }: Exchange<H>, value: Uint8Array): Uint8Array {
  const { bytes, message } = route.response.encode(value);
  const { method } = route.binding;
  const id = message && sse.eventId?.(message, method.output, method);
  // A line break in an id would start another field, and browsers ignore an id with a NUL.
  const idLine = id === undefined ? "" : `id: ${id.replaceAll(/[\r\n\0]/g, "")}\n`;
  return Buffer.concat([Buffer.from(`${idLine}data: `), bytes, END]);
}

const EVENTS = "text/event-stream";
/** The forms of a stream. Clients that take all of them alike get lines. */
const FORMS = ["application/x-ndjson", "application/ndjson", "application/json", EVENTS];

/** Whether an Accept header prefers server-sent events to JSON. */
export function prefersEvents(accept: string | undefined): boolean {
  return new Negotiator({ headers: { accept: accept && weightedTypes(accept) } }).mediaTypes(FORMS)[0] === EVENTS;
}

const QUOTED = /"(?:[^"\\]|\\.)*"?/g;

/** The types of an Accept header without parameters such as `charset`, which Negotiator compares. Weights stay. */
function weightedTypes(accept: string): string {
  // Quoted values may contain the characters that separate types and parameters.
  const plain = accept.replaceAll(QUOTED, (quoted) => quoted.replaceAll(/[",;\\]/g, ""));
  return plain
    .split(",")
    .map((range) =>
      range
        .split(";")
        .filter((part, index) => index === 0 || /^\s*q\s*=/i.test(part))
        .join(";"),
    )
    .join(",");
}
