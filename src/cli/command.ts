import type { Terminal } from "./terminal/terminal.ts";

/** An option of a command, written `--name`. */
export interface OptionSpec {
  name: string;
  /** The name of the value in help, such as GB. Absent for a switch. */
  value?: string;
  /** Whether it may be repeated. Default: no. */
  repeatable?: boolean;
  help: string;
}

/** A word of the command line that is not an option. */
interface PositionalSpec {
  /** Its name in help, such as NAME. */
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

/** The input of a command. */
export interface CommandContext {
  args: ParsedArguments;
  terminal: Terminal;
  env: Readonly<Record<string, string | undefined>>;
}

/** A command, or a group of commands. Help loads all of them, so nothing here may import heavy modules. */
export interface Command {
  /** The words that call it, such as `models family`. */
  name: string;
  /** One line for lists of commands. */
  summary: string;
  /** What it does, in paragraphs. */
  description: readonly string[];
  positionals?: readonly PositionalSpec[];
  options?: readonly OptionSpec[];
  /** Useful command lines without the program's name, each with a description and the settings that it needs. */
  examples: ReadonlyArray<readonly [line: string, does: string, settings?: string]>;
  /** Meanings of exit statuses besides the usual ones. */
  exits?: ReadonlyArray<readonly [code: number, says: string]>;
  /** Commands of a group. A group does nothing itself. */
  commands?: readonly Command[];
  /** Does the work, and imports what it needs only then. @returns the exit status. */
  run?: (context: CommandContext) => Promise<number>;
}
