/** What the body of one request may take besides its size. Its memory is returned when the request ends. */
export interface BodyRoom {
  /** Ends the reading, with its reason as the error to answer with. Undefined: the body may take any time. */
  readonly deadline?: AbortSignal | undefined;
  /** Throws the error to answer with if `bytes` more do not fit. Takes nothing. */
  check(bytes: number): void;
  /** Takes room for `bytes` more. Throws the error to answer with if they do not fit. */
  take(bytes: number): void;
  /** Returns room for `bytes`. */
  give(bytes: number): void;
  /** Returns all of it at once, because the rest of the body is not read. */
  leave(): void;
}

/** A budget without a limit. */
export const endlessRoom: BodyRoom = { check() {}, take() {}, give() {}, leave() {} };
