import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { LocalSignals, type Signals, type Topic } from "../signals.ts";

const CHANNEL = "modelscout";
const RECONNECT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Signals by LISTEN and NOTIFY, on a connection of their own that is opened when somebody listens first and again
 * whenever it breaks.
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
    // Listeners look by themselves too.
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
        // The database is away; it is tried again until it is back.
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
      // Between two connections signals were lost.
      this.#local.sendAll();
      if (!this.#closed.signal.aborted) {
        await ended;
      }
    } finally {
      await client.end().catch(() => {});
    }
  }
}
