import { Agent, request } from "node:http";

/** Sends requests to one server over connections that stay open. */
export interface HttpClient {
  /** @returns the body of the answer. @throws when the status is not 200. */
  post(path: string, body: string): Promise<string>;
  /** @returns the status of a GET. @throws when nothing answers. */
  status(path: string): Promise<number>;
  close(): void;
}

/** A client with at most so many connections at a time. */
export function httpClient(url: string | URL, connections = 1): HttpClient {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  function send(method: string, path: string, body: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      const call = request(
        { hostname, port, path, method, agent, headers: method === "GET" ? {} : headers },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
          );
        },
      );
      call.on("error", reject);
      call.end(body);
    });
  }

  return {
    async post(path, body) {
      const { status, text } = await send("POST", path, body);
      if (status !== 200) throw new Error(`POST ${path} answered ${status}: ${text}`);
      return text;
    },
    async status(path) {
      return (await send("GET", path, "")).status;
    },
    close: () => agent.destroy(),
  };
}
