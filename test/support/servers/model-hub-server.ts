import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "../at-end.ts";

/** A model as the hub sends it; whatever a test wants. */
export type WireModel = { id: string } & Record<string, unknown>;

/** What goes wrong with an answer. */
export type HubFault =
  | { status: number; headers?: Record<string, string> }
  /** Half of it, then the connection is gone. */
  | "cut"
  /** Nothing, and the connection stays. */
  | "silent"
  /** Half of it, as if it were all. */
  | "malformed"
  /** One object where a list is expected. */
  | "no list";

/** A hub of our own for tests, with the pages, Link headers and faults of the real one. */
export interface ModelHubServer {
  url: string;
  models: Map<string, WireModel>;
  /** Models asked for by name that differ from those of the pages, which have no sizes of files. */
  details: Map<string, WireModel>;
  /** Model cards in Markdown. */
  cards: Map<string, string>;
  /** Texts of config.json. */
  configurations: Map<string, string>;
  /** Large files by their path, as `/acme/model/resolve/main/model.gguf`. */
  files: Map<string, Buffer>;
  /** The origin that large files are redirected to; without it, this server sends them itself. */
  fileHost: string | undefined;
  /** Called for every request; what it gives goes wrong. */
  fault: ((path: string, count: number) => HubFault | undefined) | undefined;
  /** Paths and queries asked for so far. */
  readonly asked: string[];
  /** Headers of the last request. */
  lastHeaders: IncomingMessage["headers"];
  /** What stands as the next page in place of the true one. */
  nextPage: ((url: URL) => string) | undefined;
}

/** Starts a hub on a free port; it ends with the file's tests. */
export async function startModelHub(models: readonly WireModel[] = [], pageSize = 500): Promise<ModelHubServer> {
  const server = createServer((request, response) => answer(hub, pageSize, request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const hub: ModelHubServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    models: new Map(models.map((model) => [model.id, model])),
    details: new Map(),
    cards: new Map(),
    configurations: new Map(),
    files: new Map(),
    fileHost: undefined,
    fault: undefined,
    asked: [],
    lastHeaders: {},
    nextPage: undefined,
  };
  return hub;
}

function answer(hub: ModelHubServer, pageSize: number, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url as string, hub.url);
  const path = decodeURIComponent(url.pathname);
  hub.asked.push(`${url.pathname}${url.search}`);
  hub.lastHeaders = request.headers;
  const fault = hub.fault?.(path, hub.asked.filter((asked) => asked.startsWith(url.pathname)).length);
  if (fault === "silent") {
    return;
  }
  if (typeof fault === "object") {
    response.writeHead(fault.status, fault.headers).end("on purpose");
    return;
  }
  const file = hub.files.get(path);
  if (file !== undefined) {
    sendFile(hub, file, request, response);
    return;
  }
  const { status, body, headers } = bodyOf(hub, pageSize, url, path);
  const text = fault === "no list" ? '{"error":"on purpose"}' : body;
  const sent = fault === "malformed" ? text.slice(0, text.length / 2) : text;
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(sent) });
  if (fault !== "cut") {
    response.end(sent);
    return;
  }
  response.write(sent.slice(0, sent.length / 2));
  setTimeout(() => response.destroy(), 5);
}

/** Sends the part of a large file that `Range` asks for, as the Hub's hosts of files do. */
function sendFile(
  { fileHost }: ModelHubServer,
  file: Buffer,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (fileHost !== undefined) {
    response.writeHead(302, { location: `${fileHost}${request.url}` }).end();
    return;
  }
  const last = Number(/^bytes=0-(\d+)$/.exec(request.headers.range ?? "")?.[1] ?? Number.NaN);
  const part = Number.isNaN(last) ? file : file.subarray(0, last + 1);
  response.writeHead(Number.isNaN(last) ? 200 : 206, {
    "content-length": part.length,
    "content-range": `bytes 0-${part.length - 1}/${file.length}`,
  });
  response.end(part);
}

interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

function bodyOf(hub: ModelHubServer, pageSize: number, url: URL, path: string): Answer {
  if (path === "/api/models") {
    return pageOf(hub, pageSize, url);
  }
  const named = path.replace(/^\/api\/models\//, "");
  const model = hub.details.get(named) ?? hub.models.get(named);
  if (path.startsWith("/api/models/")) {
    return model === undefined ? { status: 404, body: "{}" } : { status: 200, body: JSON.stringify(model) };
  }
  const [, name = "", file] = /^\/([^/]+\/[^/]+)\/resolve\/main\/(README\.md|config\.json)$/.exec(path) ?? [];
  const text = (file === "config.json" ? hub.configurations : hub.cards).get(name);
  return text === undefined ? { status: 404, body: "Entry not found" } : { status: 200, body: text };
}

function pageOf(hub: ModelHubServer, pageSize: number, url: URL): Answer {
  const size = Math.min(pageSize, Number(url.searchParams.get("limit") ?? pageSize));
  const start = Number(url.searchParams.get("cursor") ?? 0);
  const all = [...hub.models.values()].sort((a, b) => Number(b.downloads ?? 0) - Number(a.downloads ?? 0));
  const body = JSON.stringify(all.slice(start, start + size));
  if (start + size >= all.length) {
    return { status: 200, body };
  }
  const next = new URL(url);
  next.searchParams.set("cursor", String(start + size));
  return { status: 200, body, headers: { link: `<${hub.nextPage?.(next) ?? next.href}>; rel="next"` } };
}
