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

/** A failure that its message explains in full, such as a file that is not there. */
export class CliError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CliError";
  }
}

/** What the program's exit status says. */
export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  interrupted: 130,
  terminated: 143,
} as const;
