import { EventEmitter } from "node:events";

/** The subject of a signal. */
export type Topic = "matches" | "deliveries" | "batches";

/**
 * Wakes readers that wait for rows, so that they need not poll often. A signal is only a hint: it can be lost with a
 * connection, so listeners also poll now and then.
 */
export interface Signals {
  /**
   * Wakes all listeners: in every process that shares a PostgreSQL database, and with SQLite in this process only. Call
   * it after the commit.
   */
  send(topic: Topic): void;
  /** Calls `wake` for every signal, and when signals may have been lost. @returns a function that stops it. */
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

  /** Wakes all listeners of all topics. */
  sendAll(): void {
    for (const topic of this.#emitter.eventNames()) {
      this.#emitter.emit(topic);
    }
  }

  async close(): Promise<void> {
    this.#emitter.removeAllListeners();
  }
}
