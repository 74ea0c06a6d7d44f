import { ConfigError, readConfig } from "../config/index.ts";
import { version } from "../version.ts";
import { findCommand } from "./commands.ts";
import { CliError, exitCodes, UsageError } from "./errors.ts";
import { renderCommandHelp, renderProgramHelp } from "./help.ts";
import { parseArguments } from "./parse-arguments.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { cleanText } from "./terminal/text.ts";

/** The environment of a command line. */
export interface CliOptions {
  terminal: Terminal;
  env: Readonly<Record<string, string | undefined>>;
}

/** Runs a command line, without the program's name. Never throws. @returns the exit status. */
export async function runCli(args: readonly string[], { terminal, env }: CliOptions): Promise<number> {
  try {
    return await dispatch(args, { terminal, env });
  } catch (error) {
    return await printError(error, terminal, env);
  }
}

async function dispatch(args: readonly string[], { terminal, env }: CliOptions): Promise<number> {
  // `help models show` is `models show --help`.
  const words = args[0] === "help" ? [...args.slice(1), "--help"] : args;
  const { command, args: rest } = findCommand(words);
  const beforeDashes = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  if (beforeDashes.includes("--help") || beforeDashes.includes("-h")) {
    terminal.print(command === undefined ? renderProgramHelp(terminal) : renderCommandHelp(command, terminal));
    return exitCodes.done;
  }
  if (command === undefined) {
    return runProgram(rest, terminal);
  }
  if (command.run === undefined) {
    const names = (command.commands ?? []).map(({ name }) => name).join(", ");
    throw new UsageError(command.name, [`${command.name}: add one of its commands: ${names}`]);
  }
  return command.run({ args: parseArguments(command, rest), terminal, env });
}

function runProgram(args: readonly string[], terminal: Terminal): number {
  if (args.length === 0) {
    terminal.print(renderProgramHelp(terminal));
    return exitCodes.done;
  }
  const [first] = args;
  if (args.length === 1 && (first === "--version" || first === "-v")) {
    terminal.print(version);
    return exitCodes.done;
  }
  parseArguments(
    { name: "", summary: "", description: [], examples: [], options: [{ name: "version", help: "" }] },
    args,
  );
  throw new UsageError("", [`${args.join(" ")}: the name of a command is missing`]);
}

async function printError(thrown: unknown, terminal: Terminal, env: CliOptions["env"]): Promise<number> {
  const error = await explainedError(thrown, env);
  const label = terminal.paintNote("red", "Error:");
  if (error instanceof UsageError) {
    for (const fault of error.faults) {
      terminal.note(`${label} ${cleanText(fault)}`);
    }
    terminal.note(`See: ${["modelscout", error.command, "--help"].filter(Boolean).join(" ")}`);
    return exitCodes.wrongUsage;
  }
  if (error instanceof ConfigError) {
    terminal.note(`${label} ${error.message}`);
  } else if (error instanceof CliError || (await isExplained(error))) {
    terminal.note(`${label} ${cleanText((error as Error).message)}`);
    const { cause } = error as Error;
    const showsCause = env.LOG_LEVEL === "debug" || env.LOG_LEVEL === "trace";
    if (showsCause && cause instanceof Error) {
      terminal.note(cleanText(cause.stack ?? cause.message));
    }
  } else {
    terminal.note(`${label} ${cleanText(error instanceof Error ? error.message : String(error))}`);
    const showsTrace = env.LOG_LEVEL === "debug" || env.LOG_LEVEL === "trace";
    if (showsTrace && error instanceof Error) {
      terminal.note(error.stack ?? "");
    } else {
      terminal.note("Run again with LOG_LEVEL=debug to see where it happened.");
    }
  }
  return exitCodes.failed;
}

/** A failure of the inventory's storage in our words, with what to do; any other error as it is. */
async function explainedError(error: unknown, env: CliOptions["env"]): Promise<unknown> {
  if (error instanceof UsageError || error instanceof ConfigError || error instanceof CliError) {
    return error;
  }
  const { explainedFault } = await import("../inventory/index.ts");
  return explainedFault(error, readConfig(env).config.inventoryUri);
}

/** Whether the message of an error says everything, so that no stack is needed. */
async function isExplained(error: unknown): Promise<boolean> {
  // Imported only here: loading the error table takes longer than printing help.
  const { OperatorError, ServiceError } = await import("../error.ts");
  return error instanceof ServiceError || error instanceof OperatorError;
}
