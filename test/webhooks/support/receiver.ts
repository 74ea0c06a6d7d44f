import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { atEnd } from "../../support/at-end.ts";

/** A request that a receiver got. */
export interface Received {
  /** webhook-id. */
  id: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** How a receiver answers a request. Default: 204. */
export type Behaviour = (response: ServerResponse, received: Received) => void;

/** An endpoint on loopback. */
export interface Receiver {
  /** http://127.0.0.1:… with a path. */
  readonly url: string;
  /** Requests in the order of arrival. */
  readonly received: readonly Received[];
  /** Changes its behaviour. */
  behave(behaviour: Behaviour): void;
}

/** Starts an endpoint. It ends with the test, or with the file if it is started outside of tests and hooks. */
export async function startReceiver(behaviour: Behaviour = answer(204)): Promise<Receiver> {
  const received: Received[] = [];
  let behave = behaviour;
  const server = createServer(
    listener((response, request) => {
      received.push(request);
      behave(response, request);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    behave(next) {
      behave = next;
    },
  };
}

/** Reads requests to their end. */
export function listener(behave: Behaviour): RequestListener {
  return (request, response) => {
    text(request).then(
      (body) => {
        const { url: path = "", headers } = request;
        behave(response, { id: String(headers["webhook-id"]), path, headers, body });
      },
      // The sender gave up.
      () => {},
    );
  };
}

/** Answers with a status and headers. */
export function answer(status: number, headers: Record<string, string> = {}): Behaviour {
  return (response) => response.writeHead(status, headers).end();
}
