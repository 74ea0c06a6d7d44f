import { once } from "node:events";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions,
} from "node:http2";
import { onTestFinished } from "vitest";

/** A connected session, destroyed when the test ends. */
export async function openSession(url: string, options: SecureClientSessionOptions = {}): Promise<ClientHttp2Session> {
  const session = connect(url, options);
  session.on("error", () => {
    // Tests look at what the server did, by `close`, `goaway` and the streams' own errors.
  });
  onTestFinished(() => session.destroy());
  await once(session, "connect");
  return session;
}

export interface H2Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

/** Sends one request and reads its answer; rejects when the stream is reset or cut off. */
export async function request(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: string | Buffer,
): Promise<H2Answer> {
  const stream = session.request(headers, { endStream: body === undefined });
  if (body !== undefined) {
    stream.end(body);
  }
  return answerOf(stream);
}

export function answerOf(stream: ClientHttp2Stream): Promise<H2Answer> {
  return new Promise((resolve, reject) => {
    let headers: Record<string, unknown> = {};
    let body = "";
    stream.on("response", (received) => {
      headers = received;
    });
    stream.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    stream.on("error", reject);
    stream.on("close", () => {
      if (stream.rstCode === 0 && headers[":status"] !== undefined) {
        resolve({ status: headers[":status"] as number, headers, body });
      } else {
        reject(new Error(`stream closed with code ${stream.rstCode}`));
      }
    });
  });
}
