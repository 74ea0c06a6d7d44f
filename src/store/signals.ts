import { EventEmitter } from "node:events";

/** What somebody may wait for. */
export type Topic = "matches" | "deliveries" | "batches";

/**
 * Wakes those who wait for rows, so that they need not look all the time. A signal is a hint and no more: one can get
 * lost with a connection, so whoever listens also looks by itself now and then.
 */
export interface Signals {
  /** Wakes all who listen, in every process that shares a PostgreSQL database; of a SQLite file in this process alone. To be called when the rows are committed. */
  send(topic: Topic): void;
  /** Calls `wake` for every signal, and when signals may have been lost. @returns what ends it. */
  listen(topic: Topic, wake: () => void): () => void;
  close(): Promise<void>;
}

/** Signals within this process. */
export class LocalSignals implements Signals {
  readonly #emitter = new EventEmitter().setMaxListeners(0);

  send(topic: Topic): void {
    this.#emitter.emit(topic);
  }

  listen(topic: Topic, wake: () => void): () => void {
    this.#emitter.on(topic, wake);
    return () => void this.#emitter.off(topic, wake);
  }

  /** Wakes everybody, whatever they listen for. */
  sendAll(): void {
    for (const topic of this.#emitter.eventNames()) {
      this.#emitter.emit(topic);
    }
  }

  async close(): Promise<void> {
    this.#emitter.removeAllListeners();
  }
}
