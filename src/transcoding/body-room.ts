/** The memory that one request's body may occupy. What is taken is given back when the request is over. */
export interface BodyRoom {
  /** Throws what is to be answered when so many bytes more have no room. Takes nothing. */
  check(bytes: number): void;
  /** Takes room for so many bytes more. Throws what is to be answered when there is none. */
  take(bytes: number): void;
  /** Gives back room that was taken. */
  give(bytes: number): void;
  /** Gives back all of it at once, since the body is not read on. */
  leave(): void;
}

/** Room that has no end. */
export const endlessRoom: BodyRoom = { check() {}, take() {}, give() {}, leave() {} };
