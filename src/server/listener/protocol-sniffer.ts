import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { ConnectionPlace } from "./connection-places.ts";

/** RFC 9113, 3.4: what an HTTP/2 client sends first. No HTTP/1.1 request can begin with all of it. */
const HTTP2_PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

type Protocol = "http1" | "http2";

/** For each protocol, the server that takes over its sockets. */
export type ProtocolSides = Readonly<Record<Protocol, { accept(socket: Socket, place: ConnectionPlace): void }>>;

/** Looks at the first bytes of new sockets and gives each socket to the server for its protocol. */
export class ProtocolSniffer {
  readonly #sides: ProtocolSides;
  readonly #timeoutMs: number;
  /** The sockets whose protocol is not known yet. */
  readonly #sockets = new Set<Socket>();

  /** @param timeoutMs the time from a connection to the bytes that identify its protocol. */
  constructor(sides: ProtocolSides, timeoutMs: number) {
    this.#sides = sides;
    this.#timeoutMs = timeoutMs;
  }

  /** The sockets whose protocol is not known yet. */
  get sockets(): ReadonlySet<Socket> {
    return this.#sockets;
  }

  /**
   * Reads until the bytes identify the protocol, returns them all to the socket, and gives it away in the same tick. The
   * socket then has no listeners of this class and is neither flowing nor paused, like a new one.
   *
   * The first byte that differs from HTTP/2's preface means HTTP/1.1. If the peer ends or the time passes before, the
   * socket is destroyed, because there is no protocol for an answer. It must have an `error` listener.
   */
  sniff(socket: Socket, place: ConnectionPlace): void {
    const chunks: Buffer[] = [];
    let matched = 0;

    const abandon = () => {
      release();
      socket.destroy();
    };
    const timer = setTimeout(abandon, this.#timeoutMs);
    const release = () => {
      this.#sockets.delete(socket);
      clearTimeout(timer);
      socket.off("readable", onReadable);
      socket.off("end", abandon);
      socket.off("close", release);
    };
    const decide = (protocol: Protocol) => {
      release();
      const agreed = agreedOn(socket);
      if (agreed === "http2" && protocol !== "http2") {
        // The client does not speak the protocol that it agreed on, so there is none for an error.
        socket.destroy();
        return;
      }
      socket.unshift(Buffer.concat(chunks));
      this.#sides[agreed ?? protocol].accept(socket, place);
    };
    const onReadable = () => {
      for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) {
        chunks.push(chunk);
        for (const byte of chunk) {
          if (byte !== HTTP2_PREFACE[matched]) {
            decide("http1");
            return;
          }
          matched += 1;
          if (matched === HTTP2_PREFACE.length) {
            decide("http2");
            return;
          }
        }
      }
    };

    this.#sockets.add(socket);
    // `readable` and read() rather than `data`: a flowing socket would lose what arrives between us and the server
    // it is handed to, and pausing it would leave it paused there.
    socket.on("readable", onReadable);
    socket.on("end", abandon);
    socket.on("close", release);
  }
}

/** The protocol that ALPN agreed on; undefined without TLS or ALPN. */
function agreedOn(socket: Socket): Protocol | undefined {
  const { alpnProtocol } = socket as TLSSocket;
  if (alpnProtocol === "h2") {
    return "http2";
  }
  return alpnProtocol === "http/1.1" ? "http1" : undefined;
}
