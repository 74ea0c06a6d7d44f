/** A source that cannot be read on: its message says what was asked, what came and, where it is known, what helps. */
export class SourceError extends Error {
  /** The HTTP status that it answered with; undefined where there was no answer. */
  readonly status: number | undefined;

  constructor(message: string, options: ErrorOptions & { status?: number } = {}) {
    super(message, options);
    this.name = "SourceError";
    this.status = options.status;
  }
}
