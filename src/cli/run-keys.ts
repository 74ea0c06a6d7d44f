import { userInfo } from "node:os";
import { createKeys } from "../access/create-keys.ts";
import type { KeyRecord } from "../access/keys.ts";
import { type Tier, tiers } from "../access/tier.ts";
import { ServiceError } from "../error.ts";
import type { CommandContext } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { keyJson } from "./key-json.ts";
import { readExpiry } from "./read-expiry.ts";
import { renderKeys } from "./render-keys.ts";
import { UsageError } from "./usage-error.ts";
import { withStore } from "./with-store.ts";

/** Does `modelscout keys create`. */
export async function runCreate(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const command = "keys create";
  const tier = readTier(args.value("tier"));
  const expires = args.value("expires");
  const expiresAt = expires === undefined ? undefined : readExpiry(expires, Date.now());
  const faults: string[] = [];
  if (tier === undefined) faults.push(tierFault(args.value("tier")));
  if (typeof expiresAt === "object") faults.push(`--expires: is ${JSON.stringify(expires)}; ${expiresAt.problem}`);
  if (tier === undefined || typeof expiresAt === "object") throw new UsageError(command, faults);

  return withStore(context, async (store, config) => {
    const wanted = { tier, ownerName: args.value("owner"), name: args.value("name"), expiresAt };
    const { key, record } = await createKeys(store).create(wanted, actor()).catch(usageFailure(command));
    terminal.print(args.has("json") ? JSON.stringify({ secret: key, key: keyJson(record) }, null, 2) : key);
    const until = record.expiresAt === undefined ? "" : ` until ${new Date(record.expiresAt).toISOString()}`;
    terminal.tell(
      `A ${record.tier} key of the owner ${record.ownerName}${until}; its id is ${record.id}. It is shown only now.`,
    );
    if (!config.provisioning) terminal.tell("MODELSCOUT_PROVISIONING is off here: a server started so ignores keys.");
    return exitCodes.done;
  });
}

/** What a page of keys holds. */
const PAGE_SIZE = 500;

/** Does `modelscout keys list`. */
export async function runList(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const tier = readTier(args.value("tier"));
  if (args.value("tier") !== undefined && tier === undefined)
    throw new UsageError("keys list", [tierFault(args.value("tier"))]);
  return withStore(context, async (store) => {
    const keys = createKeys(store);
    const filter = { ownerName: args.value("owner"), tier };
    const all: KeyRecord[] = [];
    let page = await keys.list({ size: PAGE_SIZE }, filter);
    all.push(...page.items);
    while (page.next !== undefined) {
      page = await keys.list({ size: PAGE_SIZE, after: page.next }, filter);
      all.push(...page.items);
    }
    terminal.print(
      args.has("json") ? JSON.stringify({ keys: all.map(keyJson) }, null, 2) : renderKeys(all, terminal, Date.now()),
    );
    return exitCodes.done;
  });
}

/** Does `modelscout keys revoke ID`. */
export async function runRevoke(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const id = args.positionals[0] ?? "";
  return withStore(context, async (store) => {
    const record = await createKeys(store).revoke(id, actor()).catch(usageFailure("keys revoke"));
    const at = new Date(record.revokedAt as number).toISOString();
    terminal.print(
      args.has("json") ? JSON.stringify({ key: keyJson(record) }, null, 2) : `Key ${record.id} is revoked since ${at}`,
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

/** Who acts, for the audit log. */
function actor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    // In a container a user may have no name.
    return `cli:${process.getuid?.() ?? "unknown"}`;
  }
}

/** Tells values that the domain refuses as wrong usage, under the names that the command line has for them. */
function usageFailure(command: string): (error: unknown) => never {
  return (error) => {
    const violations = error instanceof ServiceError ? error.details.violations : undefined;
    if (violations === undefined) throw error;
    const nameOf = (field: string) => (field === "id" ? "ID" : `--${field === "expires_at" ? "expires" : field}`);
    throw new UsageError(
      command,
      violations.map(({ field, description }) => `${nameOf(field)}: ${description}`),
    );
  };
}
