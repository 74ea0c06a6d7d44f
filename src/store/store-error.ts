import { OperatorError } from "../error.ts";

/** A store that cannot be used: the message tells its operator where it is, what is wrong and what to do. */
export class StoreError extends OperatorError {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "StoreError";
  }
}
