/** A command line that cannot be understood: all its faults, and the command whose help tells what is right. */
export class UsageError extends Error {
  readonly faults: readonly string[];
  /** Such as `models family`; empty for the program itself. */
  readonly command: string;

  constructor(command: string, faults: readonly string[]) {
    super(faults.join("\n"));
    this.name = "UsageError";
    this.command = command;
    this.faults = faults;
  }
}
