import { batchesCommand } from "./batches-command.ts";
import type { Command } from "./command.ts";
import { fitCommand } from "./fit-command.ts";
import { importCommand } from "./import-command.ts";
import { inventoryCommand } from "./inventory-command.ts";
import { keysCommand } from "./keys-command.ts";
import { migrateCommand } from "./migrate-command.ts";
import { modelsCommand } from "./models-command.ts";
import { recommendCommand } from "./recommend-command.ts";
import { serveCommand } from "./serve-command.ts";
import { syncCommand } from "./sync-command.ts";
import { webhooksCommand } from "./webhooks-command.ts";

/** All commands, in the order that help lists them. */
export const commands: readonly Command[] = [
  serveCommand,
  recommendCommand,
  modelsCommand,
  fitCommand,
  syncCommand,
  importCommand,
  inventoryCommand,
  keysCommand,
  webhooksCommand,
  batchesCommand,
  migrateCommand,
];
