import { type Batch, batchStates } from "../batches/batch.ts";
import { Batches } from "../batches/batches.ts";
import { batchJson } from "./batch-json.ts";
import type { CommandContext } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { renderBatches } from "./render-batches.ts";
import { UsageError } from "./usage-error.ts";
import { withStore } from "./with-store.ts";

/** What a page of batches holds. */
const PAGE_SIZE = 500;

/** Does `modelscout batches list`. */
export async function runList(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const asked = args.value("state");
  const state = batchStates.find((known) => known === asked);
  if (asked !== undefined && state === undefined) {
    const fault = `--state: is ${JSON.stringify(asked)}; must be one of ${batchStates.join(", ")}`;
    throw new UsageError("batches list", [fault]);
  }
  return withStore(context, async (store) => {
    const batches = new Batches(store);
    const filter = { owner: args.value("owner"), state };
    const all: Batch[] = [];
    let page = await batches.list({ size: PAGE_SIZE }, filter);
    all.push(...page.items);
    while (page.next !== undefined) {
      page = await batches.list({ size: PAGE_SIZE, after: page.next }, filter);
      all.push(...page.items);
    }
    terminal.print(
      args.has("json") ? JSON.stringify({ batches: all.map(batchJson) }, null, 2) : renderBatches(all, terminal),
    );
    return exitCodes.done;
  });
}

/** Does `modelscout batches cancel ID`. */
export async function runCancel(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const id = args.positionals[0] ?? "";
  return withStore(context, async (store) => {
    const batch = await new Batches(store).cancel(id, undefined);
    const at = new Date(batch.endedAt ?? Date.now()).toISOString();
    terminal.print(
      args.has("json")
        ? JSON.stringify(batchJson(batch), null, 2)
        : `Batch ${batch.id} is ${batch.state} since ${at}; ${batch.completed} of ${batch.total} needs are answered`,
    );
    return exitCodes.done;
  });
}
