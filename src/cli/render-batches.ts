import type { Batch } from "../batches/batch.ts";
import { minute } from "./minute.ts";
import { renderTable } from "./render-table.ts";
import type { Terminal } from "./terminal.ts";

/** A list of batches. */
export function renderBatches(batches: readonly Batch[], terminal: Terminal): string {
  if (batches.length === 0) return "No batches";
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
