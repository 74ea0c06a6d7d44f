import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A socket that shows what came over it, for clients that do not keep to a protocol. */
export class RawClient {
  readonly socket: Socket;
  #received = "";

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on("error", () => {
      // A reset is one of the ways in which a server may end things; tests look at `closed`.
    });
    socket.on("data", (chunk: Buffer) => {
      this.#received += chunk.toString("latin1");
    });
  }

  static async connect(port: number): Promise<RawClient> {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    await once(socket, "connect");
    return RawClient.over(socket);
  }

  static over(socket: Socket): RawClient {
    onTestFinished(() => {
      socket.destroy();
    });
    return new RawClient(socket);
  }

  get received(): string {
    return this.#received;
  }

  /** Resolves when the bytes have been given to the system. */
  write(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) =>
      this.socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes, () => resolve()),
    );
  }

  /** Everything received until the server ended or reset the connection. */
  async untilEnd(): Promise<string> {
    if (!this.socket.readableEnded && !this.socket.destroyed) {
      await new Promise<void>((resolve) => {
        this.socket.once("end", resolve);
        this.socket.once("close", () => resolve());
      });
    }
    return this.#received;
  }

  /** Everything received so far, as soon as it contains `text`; fails if the connection ends before. */
  async until(text: string): Promise<string> {
    while (!this.#received.includes(text)) {
      if (this.socket.readableEnded || this.socket.destroyed) {
        throw new Error(`the connection ended after ${JSON.stringify(this.#received)}`);
      }
      await new Promise<void>((resolve) => {
        const done = () => {
          for (const event of ["data", "end", "close"]) {
            this.socket.off(event, done);
          }
          resolve();
        };
        for (const event of ["data", "end", "close"]) {
          this.socket.on(event, done);
        }
      });
    }
    return this.#received;
  }
}
