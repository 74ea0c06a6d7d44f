import { EventEmitter } from "node:events";
import type { Signals, Topic } from "./signals.ts";

/** Signals within this process. */
export class LocalSignals implements Signals {
  readonly #emitter = new EventEmitter().setMaxListeners(0);

  tell(topic: Topic): void {
    this.#emitter.emit(topic);
  }

  listen(topic: Topic, wake: () => void): () => void {
    this.#emitter.on(topic, wake);
    return () => void this.#emitter.off(topic, wake);
  }

  /** Wakes everybody, whatever they listen for. */
  tellAll(): void {
    for (const topic of this.#emitter.eventNames()) this.#emitter.emit(topic);
  }

  async close(): Promise<void> {
    this.#emitter.removeAllListeners();
  }
}
