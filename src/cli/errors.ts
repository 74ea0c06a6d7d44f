/** A wrong command line: all its faults, and the command whose help describes the right usage. */
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

/** A failure that its message explains in full, such as a missing file. */
export class CliError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CliError";
  }
}

/** The exit statuses of the program. */
export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  interrupted: 130,
  terminated: 143,
} as const;
