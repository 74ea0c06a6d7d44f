import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../../config/index.ts";
import { type InventoryStatus, inventoryStatus } from "../../../inventory/index.ts";
import type { LastSync } from "../../../sync/index.ts";
import type { CommandContext } from "../../command.ts";
import { exitCodes } from "../../errors.ts";
import { connectExisting, loadConfig } from "../../resources.ts";
import { renderInventoryStatus } from "./render-inventory-status.ts";

/** How the last sync of each source went; undefined if the state cannot be read. Does not create a state. */
export async function readLastSyncs(config: Config): Promise<LastSync[] | undefined> {
  const { connectStore, STORE_FILE } = await import("../../../store/index.ts");
  const { lastSyncs } = await import("../../../sync/index.ts");
  if (config.databaseUrl === undefined && !existsSync(join(config.home, STORE_FILE))) {
    return [];
  }
  try {
    const store = await connectStore(config);
    try {
      return await lastSyncs(store);
    } finally {
      await store.close();
    }
  } catch {
    // The rest of the status is useful even if the state is unreachable or has an older schema.
    return undefined;
  }
}

/** Runs `modelscout inventory status`. */
export async function runInventoryStatus(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const config = loadConfig(context);
  const database = await connectExisting(config);
  try {
    const [status, syncs] = await Promise.all([inventoryStatus(database), readLastSyncs(config)]);
    terminal.print(
      args.has("json")
        ? JSON.stringify(statusJson(status, syncs), null, 2)
        : renderInventoryStatus(status, syncs, terminal, Date.now()),
    );
    return exitCodes.done;
  } finally {
    await database.close();
  }
}

function statusJson({ location, serving, isOlder, rebuild, retired, writer }: InventoryStatus, syncs?: LastSync[]) {
  return {
    location,
    models: serving?.rows ?? 0,
    ...(serving && {
      encoder: serving.generation.encoder,
      encoder_id: serving.generation.encoderId,
      dimensions: serving.generation.dimensions,
      schema: serving.generation.schema,
      table: serving.generation.table,
      serves_since: isoTime(serving.generation.since),
      bytes: serving.bytes,
      files: serving.fragments,
      version: serving.version,
      versions: serving.versions,
      oldest_version_at: isoTime(serving.oldestVersionAt),
      indexes: serving.indexes.map((index) => ({
        column: index.column,
        type: index.type,
        indexed_rows: index.indexedRows,
        unindexed_rows: index.unindexedRows,
        segments: index.segments,
        bytes: index.bytes,
      })),
      ...(serving.unreadable.length > 0 && { unreadable_indexes: serving.unreadable }),
    }),
    needs_upgrade: isOlder,
    ...(rebuild && {
      rebuild: {
        encoder: rebuild.generation.encoder,
        encoder_id: rebuild.generation.encoderId,
        table: rebuild.generation.table,
        began_at: isoTime(rebuild.generation.since),
        done: rebuild.done,
        total: rebuild.total,
        running: rebuild.isRunning,
      },
    }),
    retired: retired.map(({ generation, bytes }) => ({
      table: generation.table,
      since: isoTime(generation.since),
      bytes,
    })),
    ...(writer && { writer: { pid: writer.pid, command: writer.command, since: isoTime(writer.since) } }),
    ...(syncs && {
      syncs: syncs.map(({ report, endedAt, succeededAt }) => ({
        source: report.source,
        outcome: report.outcome,
        ended_at: isoTime(endedAt),
        succeeded_at: succeededAt === undefined ? undefined : isoTime(succeededAt),
        listed: report.listed,
        added: report.added,
        changed: report.changed,
        vanished: report.vanished,
        removed: report.removed,
      })),
    }),
  };
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
