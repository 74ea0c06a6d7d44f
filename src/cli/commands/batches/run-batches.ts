import { type Batch, batchStates } from "../../../batches/batch.ts";
import { Batches } from "../../../batches/index.ts";
import type { CommandContext } from "../../command.ts";
import { exitCodes, UsageError } from "../../errors.ts";
import { withStore } from "../../resources.ts";
import { minute } from "../../terminal/format.ts";
import { renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** A batch's facts for programs, as BatchService names them: times as RFC 3339, unknown ones left out. */
export function batchJson(batch: Batch): Record<string, string | number | undefined> {
  return {
    id: batch.id,
    owner_id: batch.ownerId,
    owner: batch.ownerName,
    name: batch.name,
    state: batch.state,
    total: batch.total,
    completed: batch.completed,
    failed: batch.failed,
    error: batch.error,
    created_at: time(batch.createdAt),
    started_at: time(batch.startedAt),
    ended_at: time(batch.endedAt),
    results_until: time(batch.resultsUntil),
  };
}

function time(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/** A list of batches. */
export function renderBatches(batches: readonly Batch[], terminal: Terminal): string {
  if (batches.length === 0) {
    return "No batches";
  }
  return renderTable(
    [
      { title: "Id", style: "bold" },
      { title: "Owner", shrinks: true },
      { title: "Name", shrinks: true },
      {
        title: "State",
        style: (state) => (state === "succeeded" ? "green" : state === "failed" ? "red" : undefined),
      },
      { title: "Answered" },
      { title: "Errors" },
      { title: "Created" },
      { title: "Ended" },
    ],
    batches.map((batch) => [
      batch.id,
      batch.ownerName ?? batch.ownerId,
      batch.name ?? "",
      batch.state,
      `${batch.completed} of ${batch.total}`,
      String(batch.failed),
      minute(batch.createdAt),
      batch.endedAt === undefined ? "" : minute(batch.endedAt),
    ]),
    terminal,
  );
}

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
