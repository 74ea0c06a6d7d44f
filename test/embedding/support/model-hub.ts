import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** A hub on loopback that serves the models of a folder as huggingface.co does. */
export interface ModelHub {
  url: string;
  /** Requested paths with their status, such as `200 /owner/model/resolve/main/config.json`. */
  requests: string[];
  close(): Promise<void>;
}

/** @param folder contains owner/model folders. A missing path gets 404, a missing repository 401. */
export async function startModelHub(folder: string): Promise<ModelHub> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url!, "http://hub");
    const [, model, file] = /^\/([^/]+\/[^/]+)\/resolve\/main\/(.+)$/.exec(pathname) ?? [];
    const read = (name: string) => readFile(join(folder, name)).catch(() => undefined);
    const content = model && file ? await read(join(model, file)) : undefined;
    const exists = model !== undefined && (await read(join(model, "config.json"))) !== undefined;
    const status = content !== undefined ? 200 : exists ? 404 : 401;
    requests.push(`${status} ${pathname}`);
    if (content === undefined) {
      response.writeHead(status).end();
    } else {
      response.writeHead(200, { "content-length": content.length }).end(content);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
