import { connect, createServer, type Socket } from "node:net";

/** A way to a server on which connections break. */
export interface BadLine {
  url: string;
  /** Connections that were broken. */
  readonly broken: number;
  close(): void;
}

/** Stands before the server of a URL; each connection breaks after so many answered bytes, on average. */
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
