import { lookup } from "node:dns";
import { lookup as lookupAll } from "node:dns/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { z } from "zod";
import { isNearAddress, retryAfterMs } from "../../text/index.ts";

/** An OpenAI-compatible endpoint and a model there. */
export interface LanguageModelEndpoint {
  /** The base of the API, such as http://127.0.0.1:11434/v1, or the whole address of its chat completions. */
  url: string;
  model: string;
  /** Sent as a bearer token; undefined for none. A secret. */
  key: string | undefined;
  /** From the DNS look-up to the end of the answer, in milliseconds. */
  timeoutMs: number;
}

/** What to ask: a conversation, and the JSON schema of the answer. */
export interface Question {
  messages: ReadonlyArray<{ role: "system" | "user"; content: string }>;
  schema: object;
}

/**
 * Why there is no answer. The message goes into logs, so it repeats nothing that the endpoint sent: that could contain
 * the need or the key.
 */
export class LanguageModelFailure extends Error {
  readonly outcome: "timeout" | "error" | "invalid";
  /** How long the endpoint asks callers to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(outcome: LanguageModelFailure["outcome"], message: string, retryAfter?: number) {
    super(message);
    this.name = "LanguageModelFailure";
    this.outcome = outcome;
    this.retryAfterMs = retryAfter;
  }
}

/** A reading takes some hundred tokens. A model that writes more is not answering the question. */
const MOST_TOKENS = 800;
/** Bytes of an answer. It may repeat some of the question and contain thoughts of the model. */
const MOST_ANSWER_BYTES = 128 * 1024;

/**
 * Asks a language model once: no redirects, no proxies, certificates checked, and over http only to addresses of this
 * machine or a private network.
 *
 * @param signal ends the call and its connection.
 * @returns the text of the answer, which nobody has checked.
 * @throws LanguageModelFailure, or the reason that `signal` was aborted with; nothing else.
 */
export async function askLanguageModel(
  endpoint: LanguageModelEndpoint,
  { messages, schema }: Question,
  signal?: AbortSignal,
): Promise<string> {
  const late = AbortSignal.timeout(endpoint.timeoutMs);
  const ended = signal === undefined ? late : AbortSignal.any([late, signal]);
  const body = JSON.stringify({
    model: endpoint.model,
    messages,
    response_format: { type: "json_schema", json_schema: { name: "reading", strict: true, schema } },
    // The same need gets the same reading, as far as the server can do that.
    temperature: 0,
    seed: 1,
    max_tokens: MOST_TOKENS,
    stream: false,
  });
  try {
    ended.throwIfAborted();
    return contentOf(await readBody(await send(endpoint, body, ended)));
  } catch (error) {
    signal?.throwIfAborted();
    if (late.aborted) {
      throw new LanguageModelFailure("timeout", `it did not answer within ${endpoint.timeoutMs} ms`);
    }
    throw error instanceof LanguageModelFailure ? error : new LanguageModelFailure("error", connectionText(error));
  }
}

/** The address of chat completions below a base. A query, which some gateways need, stays. */
function completionsUrl(base: string): URL {
  const url = new URL(base);
  const path = url.pathname.replace(/(?<!\/)\/+$/, "");
  url.pathname = path.endsWith("/chat/completions") ? path : `${path}/chat/completions`;
  url.hash = "";
  return url;
}

/**
 * A public address that an http URL leads to, where needs must not go; undefined if all its addresses are near, for
 * https, and for a name that has no address.
 */
export async function publicAddressOf(url: string): Promise<string | undefined> {
  const { protocol, hostname } = new URL(url);
  if (protocol !== "http:") {
    return undefined;
  }
  // The system returns an address as it is.
  const found = await lookupAll(hostname.replace(/^\[|\]$/g, ""), { all: true }).catch(() => []);
  return found.map(({ address }) => address).find((address) => !isNearAddress(address));
}

/** Looks up a name for http, and refuses it if any of its addresses is public: then others could read needs and keys. */
const lookUpNear: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const far = error === null && !found.every(({ address }) => isNearAddress(address));
    const problem = far
      ? new LanguageModelFailure("error", "its name has a public address, and public addresses need https")
      : error;
    if (problem !== null || options.all) {
      callback(problem, found ?? []);
    } else {
      callback(null, found[0]?.address ?? "", found[0]?.family);
    }
  });
};

function send({ url: base, key }: LanguageModelEndpoint, body: string, signal: AbortSignal): Promise<IncomingMessage> {
  const url = completionsUrl(base);
  const isTls = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    if (!isTls && isIP(host) !== 0 && !isNearAddress(host)) {
      throw new LanguageModelFailure("error", "its address is public, and public addresses need https");
    }
    const sent = (isTls ? httpsRequest : httpRequest)(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        accept: "application/json",
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      signal,
      // The call has its own connection. It uses no proxy from the environment, and it ends with the call.
      agent: false,
      // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
      ...(isTls ? { rejectUnauthorized: true } : { lookup: lookUpNear }),
    });
    sent.on("response", resolve);
    sent.on("error", reject);
    sent.end(body);
  });
}

async function readBody(answer: IncomingMessage): Promise<string> {
  const status = answer.statusCode as number;
  if (status !== 200) {
    // No part of such an answer is used.
    answer.destroy();
    const waits = status === 429 || status === 503;
    throw new LanguageModelFailure(
      "error",
      `it answered with status ${status}`,
      waits ? retryAfterMs(answer.headers["retry-after"], Date.now()) : undefined,
    );
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > MOST_ANSWER_BYTES) {
      answer.destroy();
      throw new LanguageModelFailure("invalid", `its answer has more than ${MOST_ANSWER_BYTES} bytes`);
    }
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new LanguageModelFailure("invalid", "its answer is not UTF-8");
  }
}

const completionShape = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string() }), finish_reason: z.string().nullish() }))
    .min(1),
});

function contentOf(body: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new LanguageModelFailure("invalid", "its answer is not JSON");
  }
  const [choice] = completionShape.safeParse(parsed).data?.choices ?? [];
  if (choice === undefined) {
    throw new LanguageModelFailure("invalid", "its answer is not a chat completion");
  }
  if (choice.finish_reason === "length") {
    throw new LanguageModelFailure("invalid", `its answer has more than ${MOST_TOKENS} tokens`);
  }
  return choice.message.content;
}

/** What went wrong with a connection: the code of the error. Its message can name addresses. */
function connectionText(error: unknown): string {
  // Connecting to several addresses fails with one error for each.
  const first = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
  const { code } = first as { code?: unknown };
  return typeof code === "string" && /^[A-Z_]{1,50}$/.test(code)
    ? `it cannot be reached (${code})`
    : "the connection failed";
}
