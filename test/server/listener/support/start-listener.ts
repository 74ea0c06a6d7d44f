import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import {
  createListener,
  type Listener,
  type ListenerHandler,
  type ListenerOptions,
} from "../../../../src/server/listener/index.ts";

export interface StartedListener {
  readonly listener: Listener;
  readonly port: number;
  readonly url: string;
}

/** Answers `METHOD URL HTTP-VERSION BODY`. */
export const echo: ListenerHandler = (req, res) => {
  const chunks: Buffer[] = [];
  req.on("data", (chunk: Buffer) => chunks.push(chunk));
  req.on("end", () => {
    res.writeHead(200, { "content-type": "text/plain" });
    res.end(`${req.method} ${req.url} ${req.httpVersionMajor} ${Buffer.concat(chunks).toString()}`);
  });
};

/** Listens on a free port of 127.0.0.1 until the test ends. */
export async function startListener(
  handler: ListenerHandler = echo,
  options: ListenerOptions = {},
): Promise<StartedListener> {
  const listener = createListener(handler, options);
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  onTestFinished(() => {
    listener.close(undefined, { force: true });
  });
  const { port } = listener.address() as AddressInfo;
  return { listener, port, url: `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${port}` };
}
