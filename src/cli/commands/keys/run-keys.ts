import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { type Tier, tiers } from "../../../access/caller.ts";
import { createKeys, type KeyRecord } from "../../../access/index.ts";
import { readConfig } from "../../../config/index.ts";
import { ServiceError } from "../../../error.ts";
import { STORE_FILE } from "../../../store/index.ts";
import type { CommandContext } from "../../command.ts";
import { exitCodes, UsageError } from "../../errors.ts";
import { allPages, withStore } from "../../resources.ts";
import { minute, rfc3339 } from "../../terminal/format.ts";
import { renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** A key as JSON with the names of AdminService: times as RFC 3339, without unknown facts. */
export function keyJson(record: KeyRecord): Record<string, string | undefined> {
  return {
    id: record.id,
    tier: record.tier,
    owner_id: record.ownerId,
    owner: record.ownerName,
    name: record.name,
    created_at: rfc3339(record.createdAt),
    expires_at: rfc3339(record.expiresAt),
    revoked_at: rfc3339(record.revokedAt),
    last_used_at: rfc3339(record.lastUsedAt),
  };
}

/** Renders a list of keys. @param now in milliseconds since 1970. */
export function renderKeys(keys: readonly KeyRecord[], terminal: Terminal, now: number): string {
  if (keys.length === 0) {
    return "No keys; create one with keys create --tier pro";
  }
  return renderTable(
    [
      { title: "Id", style: "bold" },
      { title: "Tier" },
      { title: "Owner", shrinks: true },
      { title: "Name", shrinks: true },
      {
        title: "State",
        style: (state) => (state === "valid" ? "green" : state.startsWith("until") ? undefined : "red"),
      },
      { title: "Created" },
      { title: "Last used" },
    ],
    keys.map((key) => [
      key.id,
      key.tier,
      key.ownerName,
      key.name ?? "",
      stateOf(key, now),
      minute(key.createdAt),
      key.lastUsedAt === undefined ? "never" : minute(key.lastUsedAt),
    ]),
    terminal,
  );
}

function stateOf({ revokedAt, expiresAt }: KeyRecord, now: number): string {
  if (revokedAt !== undefined) {
    return `revoked ${minute(revokedAt)}`;
  }
  if (expiresAt === undefined) {
    return "valid";
  }
  return `${now >= expiresAt ? "expired" : "until"} ${minute(expiresAt)}`;
}

/** Runs `modelscout keys create`. */
export async function runKeysCreate(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const command = "keys create";
  const tier = readTier(args.value("tier"));
  const expires = args.value("expires");
  const expiresAt = expires === undefined ? undefined : readExpiry(expires, Date.now());
  const faults: string[] = [];
  if (tier === undefined) {
    faults.push(tierFault(args.value("tier")));
  }
  if (typeof expiresAt === "object") {
    faults.push(`--expires: is ${JSON.stringify(expires)}; ${expiresAt.problem}`);
  }
  if (tier === undefined || typeof expiresAt === "object") {
    throw new UsageError(command, faults);
  }

  const isNew = isNewState(context.env);
  return withStore(context, async (store, config) => {
    const wanted = { tier, ownerName: args.value("owner"), name: args.value("name"), expiresAt };
    const { key, record } = await createKeys(store).create(wanted, actor()).catch(usageFailure(command));
    terminal.print(args.has("json") ? JSON.stringify({ secret: key, key: keyJson(record) }, null, 2) : key);
    const until = record.expiresAt === undefined ? "" : ` until ${rfc3339(record.expiresAt)}`;
    terminal.note(
      `A ${record.tier} key of the owner ${record.ownerName}${until}; its id is ${record.id}. It is shown only now.`,
    );
    const { home, databaseUrl } = config;
    terminal.note(
      `It is stored in ${databaseUrl === undefined ? join(home, STORE_FILE) : "the database of MODELSCOUT_DATABASE_URL"}.`,
    );
    if (isNew) {
      terminal.note(
        `${terminal.paintNote("yellow", "Warning:")} this state is new. A server that uses another folder does not know the key: create it in the server's folder, or with its MODELSCOUT_HOME.`,
      );
    }
    if (!config.provisioning) {
      terminal.note("MODELSCOUT_PROVISIONING is off here: a server with this setting ignores keys.");
    }
    return exitCodes.done;
  });
}

/** Whether there is no state yet, so that the command makes one, which no server uses. */
function isNewState(env: CommandContext["env"]): boolean {
  const { home, databaseUrl } = readConfig(env).config;
  return databaseUrl === undefined && !existsSync(join(home, STORE_FILE));
}

/** Runs `modelscout keys list`. */
export async function runKeysList(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const tier = readTier(args.value("tier"));
  if (args.value("tier") !== undefined && tier === undefined) {
    throw new UsageError("keys list", [tierFault(args.value("tier"))]);
  }
  return withStore(context, async (store) => {
    const keys = createKeys(store);
    const filter = { ownerName: args.value("owner"), tier };
    const { items: all } = await allPages((page) => keys.list(page, filter));
    terminal.print(
      args.has("json") ? JSON.stringify({ keys: all.map(keyJson) }, null, 2) : renderKeys(all, terminal, Date.now()),
    );
    return exitCodes.done;
  });
}

/** Runs `modelscout keys revoke ID`. */
export async function runKeysRevoke(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const id = args.positionals[0] ?? "";
  return withStore(context, async (store) => {
    const record = await createKeys(store).revoke(id, actor()).catch(usageFailure("keys revoke"));
    const at = rfc3339(record.revokedAt as number);
    terminal.print(
      args.has("json") ? JSON.stringify({ key: keyJson(record) }, null, 2) : `Key ${record.id} was revoked at ${at}`,
    );
    return exitCodes.done;
  });
}

function readTier(text: string | undefined): Tier | undefined {
  return tiers.find((tier) => tier === text);
}

function tierFault(text: string | undefined): string {
  const state = text === undefined ? "is missing" : `is ${JSON.stringify(text)}`;
  return `--tier: ${state}; must be one of ${tiers.join(", ")}`;
}

/** The actor in the audit log. */
function actor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    // In a container a user may have no name.
    return `cli:${process.getuid?.() ?? "unknown"}`;
  }
}

/** Turns violations of the domain into a usage error, under the names of the options. */
function usageFailure(command: string): (error: unknown) => never {
  return (error) => {
    const violations = error instanceof ServiceError ? error.details.violations : undefined;
    if (violations === undefined) {
      throw error;
    }
    const nameOf = (field: string) => (field === "id" ? "ID" : `--${field === "expires_at" ? "expires" : field}`);
    throw new UsageError(
      command,
      violations.map(({ field, description }) => `${nameOf(field)}: ${description}`),
    );
  };
}

const HOUR_MS = 3_600_000;
const units: Readonly<Record<string, number>> = {
  h: HOUR_MS,
  d: 24 * HOUR_MS,
  w: 7 * 24 * HOUR_MS,
  y: 365 * 24 * HOUR_MS,
};

/**
 * Reads a future time: a duration such as 30d, a date (its 00:00 UTC) or an RFC 3339 time.
 *
 * @param now in milliseconds since 1970, like the result.
 * @returns the time, or what is wrong with the text.
 */
export function readExpiry(text: string, now: number): number | { problem: string } {
  const at = durationOf(text, now) ?? timeOf(text);
  if (at === undefined) {
    return { problem: "must be a duration such as 12h, 30d, 8w or 1y, a date such as 2030-12-31, or an RFC 3339 time" };
  }
  if (at <= now) {
    return { problem: "is not in the future" };
  }
  if (at > LAST_TIME_MS) {
    return { problem: "is after the year 9999" };
  }
  return at;
}

const LAST_TIME_MS = Date.UTC(9999, 11, 31);

function durationOf(text: string, now: number): number | undefined {
  const match = /^(\d{1,6})([hdwy])$/.exec(text);
  return match === null ? undefined : now + Number(match[1]) * (units[match[2] as string] as number);
}

function timeOf(text: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2}))?$/.exec(text);
  const at = match === null ? Number.NaN : Date.parse(text);
  // Date.parse reads the 31st of June as the 1st of July.
  const isDay = match !== null && !Number.isNaN(at) && dayText(Date.parse(match[1] as string)) === match[1];
  return isDay ? at : undefined;
}

function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
