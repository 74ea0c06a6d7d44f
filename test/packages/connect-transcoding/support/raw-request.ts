import { connect, type Socket } from "node:net";

/** An HTTP/1.1 request as it is sent. */
export interface RawRequest {
  readonly port: number;
  readonly method: string;
  readonly target: string;
  readonly headers?: readonly (readonly [string, string])[] | undefined;
  readonly body?: Uint8Array | string | undefined;
}

/** A response, read to its end. */
export interface RawResponse {
  readonly status: number;
  /** Names in lower case; repeated ones joined with a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** Whether the body is complete according to its framing. */
  readonly complete: boolean;
}

/** Opens a connection and writes a request. */
export function sendRaw({ port, method, target, headers = [], body }: RawRequest): Socket {
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const lines = [`${method} ${target} HTTP/1.1`, `Host: 127.0.0.1:${port}`, "Connection: close"];
  for (const [name, value] of headers) {
    lines.push(`${name}: ${value}`);
  }
  if (bytes !== undefined) {
    lines.push(`Content-Length: ${bytes.length}`);
  }
  const socket = connect(port, "127.0.0.1");
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  if (bytes !== undefined) {
    socket.write(bytes);
  }
  return socket;
}

/** Sends a request and reads the response. `onData` sees what arrived so far. */
export async function requestRaw(request: RawRequest, onData?: (data: Buffer) => void): Promise<RawResponse> {
  const socket = sendRaw(request);
  let data = Buffer.alloc(0);
  await new Promise<void>((resolve) => {
    socket.on("data", (chunk) => {
      data = Buffer.concat([data, chunk]);
      onData?.(data);
    });
    // A reset shows as an incomplete response.
    socket.on("error", () => resolve());
    socket.on("close", () => resolve());
    socket.setTimeout(10_000, () => socket.destroy());
  });
  return parse(data, request.method);
}

function parse(data: Buffer, method: string): RawResponse {
  const end = data.indexOf("\r\n\r\n");
  if (end < 0) {
    return { status: 0, headers: new Map(), body: Buffer.alloc(0), complete: false };
  }
  const [statusLine = "", ...lines] = data.subarray(0, end).toString("latin1").split("\r\n");
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
  }
  const status = Number(statusLine.split(" ")[1]);
  const rest = data.subarray(end + 4);
  const noBody = method === "HEAD" || status === 204 || status === 304;
  return { status, headers, ...(noBody ? { body: rest, complete: true } : readBody(rest, headers)) };
}

function readBody(data: Buffer, headers: ReadonlyMap<string, string>): { body: Buffer; complete: boolean } {
  if (headers.get("transfer-encoding") !== "chunked") {
    const length = Number(headers.get("content-length") ?? data.length);
    return { body: data.subarray(0, length), complete: data.length === length };
  }
  const chunks: Buffer[] = [];
  let position = 0;
  for (;;) {
    const lineEnd = data.indexOf("\r\n", position);
    if (lineEnd < 0) {
      return { body: Buffer.concat(chunks), complete: false };
    }
    const size = Number.parseInt(data.subarray(position, lineEnd).toString("latin1"), 16);
    if (size === 0) {
      return { body: Buffer.concat(chunks), complete: true };
    }
    const start = lineEnd + 2;
    chunks.push(data.subarray(start, start + size));
    if (start + size > data.length) {
      return { body: Buffer.concat(chunks), complete: false };
    }
    position = start + size + 2;
  }
}
