import { connect, createServer, type Socket } from "node:net";

/** A proxy before a server, whose connections break. */
export interface BadLine {
  url: string;
  /** The number of broken connections. */
  readonly broken: number;
  close(): void;
}

/** Starts a proxy before a server; each connection breaks after this many answered bytes, on average. */
export async function startBadLine(url: string, bytes: number): Promise<BadLine> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let broken = 0;
  const line = createServer((client) => {
    const server = connect(Number(port), hostname);
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    let left = -Math.log(1 - Math.random()) * bytes;
    server.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left > 0) {
        return;
      }
      broken++;
      end();
    });
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => line.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(line.address() as { port: number }).port}`,
    get broken() {
      return broken;
    },
    close() {
      line.close();
      for (const socket of sockets) {
        socket.destroy();
      }
    },
  };
}
