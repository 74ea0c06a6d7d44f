/** Why a value is not valid for a field. */
export class Mismatch {
  /** What would have been right, as a noun phrase: "an integer from 0 to 4294967295". */
  readonly expected: string;
  /** The values that are allowed, where they can be listed. */
  readonly allowed: readonly string[] | undefined;

  constructor(expected: string, allowed?: readonly string[]) {
    this.expected = expected;
    this.allowed = allowed;
  }
}
