/** What the handlers of a server received and sent. */
export class Recorder {
  rpc: string | null = null;
  messages: unknown[] = [];
  header: Headers | undefined;
  signal: AbortSignal | undefined;
  /** Bytes that a stream handler has handed over. */
  produced = 0;
  /** Settles when a handler has been called. */
  called: Promise<void> = Promise.resolve();
  #onCall: () => void = () => undefined;

  reset(): void {
    this.rpc = null;
    this.messages = [];
    this.header = undefined;
    this.signal = undefined;
    this.produced = 0;
    this.called = new Promise((resolve) => {
      this.#onCall = resolve;
    });
  }

  call(rpc: string, header: Headers, signal: AbortSignal): void {
    this.rpc = rpc;
    this.header = header;
    this.signal = signal;
    this.#onCall();
  }
}
