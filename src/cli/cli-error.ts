/** A failure that its message explains in full, such as a file that is not there. */
export class CliError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CliError";
  }
}
