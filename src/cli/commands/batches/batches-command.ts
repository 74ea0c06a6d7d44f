import { batchStates } from "../../../batches/batch.ts";
import type { Command, CommandContext } from "../../command.ts";

const run = async (name: "runBatchesList" | "runBatchesCancel", context: CommandContext) =>
  (await import("./run-batches.ts"))[name](context);

/** `modelscout batches …` */
export const batchesCommand: Command = {
  name: "batches",
  summary: "List and cancel batches of needs",
  description: [
    "Customers with a Pro key create batches, which are answered in the background; see BatchService. These commands work on the state database, also while a server runs.",
  ],
  examples: [
    ["batches list --state running", "batches in progress"],
    ["batches cancel bat_01jk2mfs1s0g8t5d2c9bq4n7va", "cancel a batch"],
  ],
  commands: [
    {
      name: "batches list",
      summary: "List batches, the newest first",
      description: [
        "A batch is kept for 7 days after its end. While its owner has no valid Pro key, no work is done on it.",
      ],
      options: [
        { name: "owner", value: "NAME", help: "Only batches of this owner, by name or id" },
        { name: "state", value: "STATE", help: `Only batches in this state: ${batchStates.join(", ")}` },
        {
          name: "json",
          help: "Print JSON, as returned by BatchService.ListBatches, with all batches and their owners",
        },
      ],
      examples: [
        ["batches list", "all batches"],
        ["batches list --owner acme --state queued", "queued batches of an owner"],
      ],
      run: (context) => run("runBatchesList", context),
    },
    {
      name: "batches cancel",
      summary: "Cancel a batch",
      description: [
        "All replicas stop working on it within a second. Finished answers stay, and the customer's webhooks are notified. A batch that has ended does not change.",
      ],
      positionals: [{ name: "ID", help: "the batch's id, as shown by batches list" }],
      options: [{ name: "json", help: "Print JSON, as returned by BatchService.CancelBatch" }],
      examples: [["batches cancel bat_01jk2mfs1s0g8t5d2c9bq4n7va", "cancel a batch"]],
      run: (context) => run("runBatchesCancel", context),
    },
  ],
};
