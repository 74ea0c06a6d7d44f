import type { Command, OptionSpec } from "../../command.ts";

const json: OptionSpec = { name: "json", help: "Print JSON" };

/** `modelscout inventory …` */
export const inventoryCommand: Command = {
  name: "inventory",
  summary: "Maintain the inventory: status, rebuild, compact, verify",
  description: [
    "A server maintains its inventory by itself. These commands show its state, and do the same maintenance at a time that you choose. All of them work while a server runs and answers.",
  ],
  examples: [
    ["inventory status", "size, encoder, indexes and running writes"],
    ["inventory verify", "check everything"],
  ],
  commands: [
    {
      name: "inventory status",
      summary: "Show the location, content, indexes and running work of the inventory",
      description: ["Changes nothing, and never waits for a write that is running."],
      options: [json],
      examples: [["inventory status", "show the status"]],
      run: async (context) => (await import("./run-inventory-status.ts")).runInventoryStatus(context),
    },
    {
      name: "inventory rebuild",
      summary: "Rebuild all models from their sources' facts into a new table",
      description: [
        "Normalises, merges, encodes and indexes all models with this version of the program. Models that are written during the rebuild are also added to the new table. When the new table is complete, it replaces the old one; until then the old table is used. The disk needs room for both.",
        "The vectors come from the encoder that MODELSCOUT_ENCODER names, or else from the same encoder as before. Ctrl-C, a crash or a full disk leaves the old table as it was.",
      ],
      options: [json],
      examples: [
        ["inventory rebuild", "after an update of modelscout"],
        ["inventory rebuild", "with vectors of another encoder", "MODELSCOUT_ENCODER=Xenova/all-MiniLM-L6-v2"],
      ],
      exits: [
        [1, "the rebuild failed; the old table is still used"],
        [130, "stopped by Ctrl-C; the old table is still used"],
      ],
      run: async (context) => (await import("./run-inventory.ts")).runInventoryRebuild(context),
    },
    {
      name: "inventory compact",
      summary: "Merge files, index all rows and delete old versions",
      description: [
        "Does in one run what a server does in small steps. Afterwards searches are fastest, and the disk holds only the models and the versions of the last ten minutes. Imports and syncs wait until it ends.",
      ],
      options: [json],
      examples: [["inventory compact", "after a large import"]],
      run: async (context) => (await import("./run-inventory.ts")).runInventoryCompact(context),
    },
    {
      name: "inventory verify",
      summary: "Check rows, vectors and indexes for faults",
      description: [
        "Reads every row and checks that keys are unique, that entries are readable and agree with the columns and the sources' facts, that vectors are complete, and that writes are numbered correctly. Then it looks up a sample of models in every index. It reads a single version of the table, so writers do not disturb it.",
      ],
      options: [{ name: "sample", value: "N", help: "How many models to look up in every index; default 100" }, json],
      examples: [["inventory verify", "all rows"]],
      exits: [
        [0, "no faults"],
        [1, "faults were found and printed"],
      ],
      run: async (context) => (await import("./run-inventory.ts")).runInventoryVerify(context),
    },
  ],
};
