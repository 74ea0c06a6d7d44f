import { type Batch, batchStates } from "../../../batches/batch.ts";
import { Batches } from "../../../batches/index.ts";
import type { CommandContext } from "../../command.ts";
import { exitCodes, UsageError } from "../../errors.ts";
import { allPages, withStore } from "../../resources.ts";
import { minute, rfc3339 } from "../../terminal/format.ts";
import { renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** A batch as JSON with the names of BatchService: times as RFC 3339, without unknown facts. */
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
    created_at: rfc3339(batch.createdAt),
    started_at: rfc3339(batch.startedAt),
    ended_at: rfc3339(batch.endedAt),
    results_until: rfc3339(batch.resultsUntil),
  };
}

/** Renders a list of batches. */
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

/** Runs `modelscout batches list`. */
export async function runBatchesList(context: CommandContext): Promise<number> {
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
    const { items: all } = await allPages((page) => batches.list(page, filter));
    terminal.print(
      args.has("json") ? JSON.stringify({ batches: all.map(batchJson) }, null, 2) : renderBatches(all, terminal),
    );
    return exitCodes.done;
  });
}

/** Runs `modelscout batches cancel ID`. */
export async function runBatchesCancel(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const id = args.positionals[0] ?? "";
  return withStore(context, async (store) => {
    const batch = await new Batches(store).cancel(id, undefined);
    const at = rfc3339(batch.endedAt ?? Date.now());
    terminal.print(
      args.has("json")
        ? JSON.stringify(batchJson(batch), null, 2)
        : `Batch ${batch.id} has been ${batch.state} since ${at}; ${batch.completed} of ${batch.total} needs were answered`,
    );
    return exitCodes.done;
  });
}
