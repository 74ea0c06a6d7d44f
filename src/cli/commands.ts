import { didYouMean } from "../text/index.ts";
import type { Command } from "./command.ts";
import { backupCommand } from "./commands/backup/backup-command.ts";
import { batchesCommand } from "./commands/batches/batches-command.ts";
import { catalogueCommand } from "./commands/catalogue/catalogue-command.ts";
import { completionCommand } from "./commands/completion/completion-command.ts";
import { fitCommand, planCommand } from "./commands/fit/hardware-commands.ts";
import { importCommand } from "./commands/import/import-command.ts";
import { inventoryCommand } from "./commands/inventory/inventory-command.ts";
import { keysCommand } from "./commands/keys/keys-command.ts";
import { mcpCommand } from "./commands/mcp/mcp-command.ts";
import { migrateCommand } from "./commands/migrate/migrate-command.ts";
import { modelsCommand } from "./commands/models/models-command.ts";
import { recommendCommand } from "./commands/recommend/recommend-command.ts";
import { serveCommand } from "./commands/serve/serve-command.ts";
import { syncCommand } from "./commands/sync/sync-command.ts";
import { webhooksCommand } from "./commands/webhooks/webhooks-command.ts";
import { UsageError } from "./errors.ts";

/** All commands, in the order that help lists them. */
export const commands: readonly Command[] = [
  serveCommand,
  mcpCommand,
  recommendCommand,
  modelsCommand,
  fitCommand,
  planCommand,
  syncCommand,
  importCommand,
  inventoryCommand,
  catalogueCommand,
  keysCommand,
  webhooksCommand,
  batchesCommand,
  migrateCommand,
  backupCommand,
  completionCommand(() => commands),
];

/** A command and the arguments after its name. `command` is undefined for the program itself. */
export interface FoundCommand {
  command: Command | undefined;
  args: readonly string[];
}

/**
 * Finds the command that the first words of a command line name.
 *
 * @throws UsageError that names the nearest command.
 */
export function findCommand(args: readonly string[]): FoundCommand {
  let found: FoundCommand = { command: undefined, args };
  for (;;) {
    const { command, args: rest } = found;
    const choices = command === undefined ? commands : command.commands;
    const [word] = rest;
    if (choices === undefined || word === undefined || word.startsWith("-")) {
      return found;
    }
    const next = choices.find(({ name }) => name.split(" ").at(-1) === word);
    if (next === undefined) {
      throw unknownCommand(command, word, choices);
    }
    found = { command: next, args: rest.slice(1) };
  }
}

function unknownCommand(group: Command | undefined, word: string, choices: readonly Command[]): UsageError {
  // `families` alone means `models families`.
  const all = [...choices, ...(group === undefined ? commands.flatMap(({ commands: inner = [] }) => inner) : [])];
  const byWord = new Map(all.map(({ name }) => [name.split(" ").at(-1) as string, name]));
  if (group === undefined) {
    byWord.set("version", "--version");
  }
  const hint = didYouMean(word, byWord.keys(), { show: (name) => byWord.get(name) as string });
  const whole = [...(group === undefined ? [] : [group.name]), word].join(" ");
  return new UsageError(group?.name ?? "", [`${JSON.stringify(whole)}: unknown command${hint}`]);
}
