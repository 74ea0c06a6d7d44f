import { Agent, request } from "node:http";

/** Sends requests to one server over persistent connections. */
export interface HttpClient {
  /** @returns the body of the answer. @throws when the status is not 200. */
  post(path: string, body: string): Promise<string>;
  /** @returns the body of the answer. @throws when the status is not 200. */
  get(path: string): Promise<string>;
  /** @returns the status of a GET. @throws when there is no answer. */
  status(path: string): Promise<number>;
  close(): void;
}

/** Options of a client. */
export interface HttpClientOptions {
  /** The most connections at a time. Default: 1. */
  connections?: number;
  /** The X-API-Key header. Default: none. */
  key?: string;
}

/** Creates a client of one server. */
export function httpClient(url: string | URL, { connections = 1, key }: HttpClientOptions = {}): HttpClient {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  function send(method: string, path: string, body: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const described = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      const headers = { ...(method === "GET" ? {} : described), ...(key === undefined ? {} : { "x-api-key": key }) };
      const call = request({ hostname, port, path, method, agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      });
      call.on("error", reject);
      call.end(body);
    });
  }

  async function succeed(method: string, path: string, body: string): Promise<string> {
    const { status, text } = await send(method, path, body);
    if (status !== 200) {
      throw new Error(`${method} ${path} answered ${status}: ${text}`);
    }
    return text;
  }

  return {
    post: (path, body) => succeed("POST", path, body),
    get: (path) => succeed("GET", path, ""),
    async status(path) {
      return (await send("GET", path, "")).status;
    },
    close: () => agent.destroy(),
  };
}
