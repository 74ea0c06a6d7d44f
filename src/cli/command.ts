import type { Terminal } from "./terminal/terminal.ts";

/** An option of a command, written `--name`. */
export interface OptionSpec {
  name: string;
  /** What stands for the value in help, such as GB. Absent for a switch. */
  value?: string;
  /** Whether it may be given several times. Default: no. */
  repeatable?: boolean;
  help: string;
}

/** A word of the command line that is not an option. */
interface PositionalSpec {
  /** As help writes it, such as NAME. */
  name: string;
  help: string;
  /** Whether all remaining words belong to it. Default: no. */
  rest?: boolean;
  /** Whether it may be left out. Default: no. */
  optional?: boolean;
}

/** The words of a command line, checked against the command's options. */
export interface ParsedArguments {
  positionals: readonly string[];
  /** Whether a switch is given. */
  has(name: string): boolean;
  /** The value of an option; undefined when it is not given. */
  value(name: string): string | undefined;
  /** All values of a repeatable option. */
  values(name: string): readonly string[];
}

/** What a command gets to do its work. */
export interface CommandContext {
  args: ParsedArguments;
  terminal: Terminal;
  env: Readonly<Record<string, string | undefined>>;
}

/** A command, or a group of commands. Everything here is needed for help, so nothing heavy hangs on it. */
export interface Command {
  /** The words that call it, such as `models family`. */
  name: string;
  /** One line for lists of commands. */
  summary: string;
  /** What it does, a paragraph each. */
  description: readonly string[];
  positionals?: readonly PositionalSpec[];
  options?: readonly OptionSpec[];
  /** Command lines worth trying, without the program's name, each with what it does. */
  examples: ReadonlyArray<readonly [line: string, does: string]>;
  /** What exit statuses beyond the usual ones say. */
  exits?: ReadonlyArray<readonly [code: number, says: string]>;
  /** Commands of a group. A group does nothing itself. */
  commands?: readonly Command[];
  /** Does the work, loading what it needs only now. @returns the exit status. */
  run?: (context: CommandContext) => Promise<number>;
}
