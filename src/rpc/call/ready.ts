import { ServiceError } from "../../error.ts";

/** A part of the service that may not be open yet, because the service starts to listen before it opens its parts. */
export class Ready<T> {
  #part: T | undefined;
  #state: string;

  /** @param state the reason why there is no part yet, such as "the state is being opened". */
  constructor(state: string) {
    this.#state = state;
  }

  /** The part. @throws ServiceError NOT_READY, with the time to try again, if it is not ready yet. */
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

  /** A member of the part, which is ready when the part is. */
  within<Name extends keyof T>(name: Name): Pick<Ready<T[Name]>, "get"> {
    return { get: () => this.get()[name] };
  }

  /** The reason why the part is not ready; undefined if it is. */
  get waitingFor(): string | undefined {
    return this.#part === undefined ? this.#state : undefined;
  }

  /** Sets the reason why the part is not ready. */
  wait(state: string): void {
    this.#state = state;
  }

  /** Makes the part ready. */
  set(part: T): void {
    this.#part = part;
  }

  /** Removes the part, with the reason. */
  unset(state: string): void {
    this.#part = undefined;
    this.#state = state;
  }
}

/** Whether the service can answer. */
export interface Readiness {
  /**
   * The reason why the service cannot answer; undefined if it can. Never fails.
   *
   * @param part `state` for calls that need only the state. Default: all calls.
   */
  waitingFor(part?: "state"): Promise<string | undefined>;
}
