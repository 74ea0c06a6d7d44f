import { batchStates } from "../../../batches/batch.ts";
import type { Command, CommandContext } from "../../command.ts";

const run = async (name: "runList" | "runCancel", context: CommandContext) =>
  (await import("./run-batches.ts"))[name](context);

/** `modelscout batches …` */
export const batchesCommand: Command = {
  name: "batches",
  summary: "List and cancel batches of needs",
  description: [
    "Customers with a Pro key make batches, which are answered in the background; see BatchService. Works on the state database, beside a running server.",
  ],
  examples: [
    ["batches list --state running", "what is worked on"],
    ["batches cancel bat_01jk2mfs1s0g8t5d2c9bq4n7va", "end one"],
  ],
  commands: [
    {
      name: "batches list",
      summary: "List batches, the newest first",
      description: ["A batch is kept for 7 days after its end. One that waits for a key that holds stays as it was."],
      options: [
        { name: "owner", value: "NAME", help: "Only those of this owner, by name or id" },
        { name: "state", value: "STATE", help: `Only those in this state: ${batchStates.join(", ")}` },
        { name: "json", help: "Print JSON, as BatchService.ListBatches answers, of all batches and with their owners" },
      ],
      examples: [
        ["batches list", "all batches"],
        ["batches list --owner acme --state queued", "what an owner waits for"],
      ],
      run: (context) => run("runList", context),
    },
    {
      name: "batches cancel",
      summary: "Cancel a batch",
      description: [
        "Work on it stops within a second, on every replica. What is answered stays, and the customer's webhooks are told. A batch that has ended stays as it is.",
      ],
      positionals: [{ name: "ID", help: "the batch's id, as batches list tells it" }],
      options: [{ name: "json", help: "Print JSON, as BatchService.CancelBatch answers" }],
      examples: [["batches cancel bat_01jk2mfs1s0g8t5d2c9bq4n7va", "end one batch"]],
      run: (context) => run("runCancel", context),
    },
  ],
};
