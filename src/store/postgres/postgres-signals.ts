import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { LocalSignals, type Signals, type Topic } from "../signals.ts";

const CHANNEL = "modelscout";
const RECONNECT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Signals by LISTEN and NOTIFY, on a separate connection that is opened for the first listener and reopened whenever it
 * breaks.
 */
export class PostgresSignals implements Signals {
  readonly #url: string;
  readonly #notify: (channel: string, topic: Topic) => Promise<unknown>;
  readonly #local = new LocalSignals();
  readonly #closed = new AbortController();
  #client: pg.Client | undefined;
  #following: Promise<void> | undefined;

  /** @param notify runs pg_notify, on any connection. */
  constructor(url: string, notify: (channel: string, topic: Topic) => Promise<unknown>) {
    this.#url = url;
    this.#notify = notify;
  }

  send(topic: Topic): void {
    // A lost signal is harmless: listeners also poll.
    this.#notify(CHANNEL, topic).catch(() => {});
  }

  listen(topic: Topic, wake: () => void): () => void {
    this.#following ??= this.#follow();
    return this.#local.listen(topic, wake);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#client?.end().catch(() => {});
    await this.#following;
    await this.#local.close();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      try {
        await this.#listenUntilBroken();
      } catch {
        // The database does not answer. Try again until it does.
      }
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => {});
    }
  }

  async #listenUntilBroken(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: "modelscout signals",
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    this.#client = client;
    const ended = new Promise<void>((resolve) => {
      client.on("error", () => resolve());
      client.on("end", () => resolve());
    });
    client.on("notification", ({ payload }) => this.#local.send(payload as Topic));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      // Signals may have been lost between two connections.
      this.#local.sendAll();
      if (!this.#closed.signal.aborted) {
        await ended;
      }
    } finally {
      await client.end().catch(() => {});
    }
  }
}
