import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { atEnd } from "../at-end.ts";

/** A question as the server got it. */
export interface AskedQuestion {
  headers: IncomingMessage["headers"];
  path: string;
  /** The body, as sent. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any part of it.
  body: any;
  /** Settles when the caller has closed the connection. */
  closed: Promise<unknown>;
}

/** An OpenAI-compatible server of our own for tests. */
export interface LanguageModelServer {
  /** The base of its API. */
  url: string;
  /** What it was asked, in order. */
  asked: AskedQuestion[];
  /** Writes the answer to a question. */
  answer: (response: ServerResponse, question: AskedQuestion) => void;
}

/** The completion of a chat, with a text or a reading as its content. */
export function completion(content: unknown, finishReason = "stop"): string {
  const message = { role: "assistant", content: typeof content === "string" ? content : JSON.stringify(content) };
  return JSON.stringify({ id: "1", object: "chat.completion", choices: [{ message, finish_reason: finishReason }] });
}

/** An answer with a body. */
export function sends(body: string | Buffer, status = 200, headers: Record<string, string> = {}) {
  return (response: ServerResponse) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body);
  };
}

/** Starts a server on a free port; it ends with the file's tests. */
export async function startLanguageModel(): Promise<LanguageModelServer> {
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    const closed = once(response, "close");
    const question = { headers: request.headers, path: request.url ?? "", body, closed };
    model.asked.push(question);
    model.answer(response, question);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const model: LanguageModelServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: [],
    answer: sends("{}", 500),
  };
  return model;
}
