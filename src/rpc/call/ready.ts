import { ServiceError } from "../../error.ts";

/** A part of the service, once it can serve. The service listens before. */
export class Ready<T> {
  #part: T | undefined;
  #state: string;

  /** @param state what is being waited for at first. */
  constructor(state: string) {
    this.#state = state;
  }

  /** The part. @throws ServiceError NOT_READY, with when to try again, until there is one. */
  get(): T {
    if (this.#part === undefined) {
      throw new ServiceError("NOT_READY", { state: this.#state }, { retryAfterMs: 1_000 });
    }
    return this.#part;
  }

  /** The part; undefined until there is one. */
  get current(): T | undefined {
    return this.#part;
  }

  /** Something that belongs to the part, and is ready when the part is. */
  within<Inner>(select: (part: T) => Inner): Pick<Ready<Inner>, "get"> {
    return { get: () => select(this.get()) };
  }

  /** What is being waited for; undefined when it is ready. */
  get waitingFor(): string | undefined {
    return this.#part === undefined ? this.#state : undefined;
  }

  /** Says what is being waited for. */
  wait(state: string): void {
    this.#state = state;
  }

  /** From here on the part is served. */
  set(part: T): void {
    this.#part = part;
  }

  /** Nothing is served any more. */
  unset(state: string): void {
    this.#part = undefined;
    this.#state = state;
  }
}

/** Whether the service can answer. */
export interface Readiness {
  /**
   * What is being waited for; undefined when the service can answer. Never fails.
   *
   * @param part `state` for what needs keys and quotas alone. Default: everything.
   */
  waitingFor(part?: "state"): Promise<string | undefined>;
}
