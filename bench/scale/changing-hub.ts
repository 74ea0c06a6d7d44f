import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { SourceRecord } from "../../src/inventory/facts/record.ts";

const PAGE = 500;

/** A hub on loopback whose models have new downloads in each listing, so that a sync always has work. */
export interface ChangingHub {
  url: string;
  /** Models listed so far. */
  readonly listed: number;
  close(): void;
}

/** Starts a hub with some models. */
export async function startChangingHub(records: readonly SourceRecord[]): Promise<ChangingHub> {
  let listed = 0;
  let listing = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url as string, "http://hub");
    if (url.pathname !== "/api/models") {
      response.writeHead(404).end();
      return;
    }
    const start = Number(url.searchParams.get("cursor") ?? 0);
    if (start === 0) {
      listing++;
    }
    const page = records.slice(start, start + Math.min(PAGE, Number(url.searchParams.get("limit") ?? PAGE)));
    listed += page.length;
    const end = start + page.length;
    if (end < records.length) {
      url.searchParams.set("cursor", String(end));
      response.setHeader("link", `<http://${request.headers.host}${url.pathname}${url.search}>; rel="next"`);
    }
    response.end(JSON.stringify(page.map((record) => wireModel(record, listing))));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: base,
    get listed() {
      return listed;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Converts a record to the Hub's format. */
function wireModel(record: SourceRecord, listing: number): object {
  return {
    id: record.name,
    pipeline_tag: record.task_types?.[0],
    library_name: record.library,
    tags: record.tags,
    downloads: (record.downloads ?? 0) + listing,
    likes: record.likes,
    lastModified: record.updated_at,
    safetensors: record.parameters === undefined ? undefined : { total: record.parameters },
    gated: record.gated ?? false,
  };
}
