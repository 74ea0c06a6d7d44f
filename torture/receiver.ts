import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import type { Random } from "../bench/scale/random.ts";

/** The reaction of a receiver to a delivery. */
export type Behaviour = "take" | "fail" | "hang" | "cut" | "gone";

/** An arrived delivery. */
export interface Arrival {
  /** The webhook-id. */
  id: string;
  type: string;
  data: Record<string, unknown>;
  /** Whether the answer was 200 and could be sent. */
  isTaken: boolean;
  /** Milliseconds since 1970. */
  at: number;
}

/** An endpoint for webhooks. */
export class Receiver {
  readonly name: string;
  readonly arrivals: Arrival[] = [];
  /** The time of its first answer 410; undefined before. */
  goneAt: number | undefined;
  readonly problems: string[] = [];
  /** The webhook's secret. Deliveries that arrive before it is known wait. */
  readonly secret = Promise.withResolvers<string>();
  readonly #behave: (random: Random, arrivals: number) => Behaviour;
  readonly #random: Random;
  readonly #server: Server;
  /** From now on accepts everything, unless the receiver answered 410. */
  isWell = false;
  /** How long a hanging receiver does not answer, in milliseconds. */
  readonly #hangMs: number;

  constructor(
    name: string,
    behave: (random: Random, arrivals: number) => Behaviour,
    { random, hangMs }: { random: Random; hangMs: number },
  ) {
    this.name = name;
    this.#behave = behave;
    this.#random = random;
    this.#hangMs = hangMs;
    this.#server = createServer((request, response) => {
      // A killed sender has closed the connection.
      this.#receive(request, response).catch(() => response.destroy());
    });
  }

  /** @returns its URL. */
  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${this.name}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = Date.now();
    const body = await text(request);
    const headers = request.headers as Record<string, string>;
    const id = String(headers["webhook-id"]);
    try {
      new Webhook(await this.secret.promise).verify(body, headers);
    } catch (error) {
      this.problems.push(`${this.name} got ${id} with a wrong signature: ${error}`);
    }
    const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> };
    const arrival: Arrival = { id, type, data, isTaken: false, at };
    this.arrivals.push(arrival);
    const asked = this.#behave(this.#random, this.arrivals.length);
    const behaviour = this.isWell && asked !== "gone" ? "take" : asked;
    if (behaviour === "hang") {
      await sleep(this.#hangMs, undefined, { ref: false });
    }
    if (behaviour === "hang" || behaviour === "cut") {
      response.destroy();
      return;
    }
    const status = { take: 200, fail: this.#random.pick([500, 503, 429, 302]), gone: 410 }[behaviour];
    if (behaviour === "gone") {
      this.goneAt ??= Date.now();
    }
    response.writeHead(status, status === 302 ? { location: "http://127.0.0.1:1/" } : {}).end();
    await once(response, "finish");
    arrival.isTaken = status === 200;
  }
}
