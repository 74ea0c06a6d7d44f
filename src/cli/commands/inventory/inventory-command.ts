import type { Command, OptionSpec } from "../../command.ts";

const json: OptionSpec = { name: "json", help: "Print JSON" };

/** `modelscout inventory …` */
export const inventoryCommand: Command = {
  name: "inventory",
  summary: "Look after the inventory: how it stands, rebuild, compact, verify",
  description: [
    "A server looks after its inventory by itself; these commands show how it stands and do what it does at a time of your choosing. All of them work beside a running server, whose answers go on meanwhile.",
  ],
  examples: [
    ["inventory status", "size, encoder, indexes, who writes"],
    ["inventory verify", "whether all is as it must be"],
  ],
  commands: [
    {
      name: "inventory status",
      summary: "Show where the inventory is, what is in it, its indexes and what is being done with it",
      description: ["Changes nothing and waits for nobody, whatever is going on."],
      options: [json],
      examples: [["inventory status", "how it stands"]],
      run: async (context) => (await import("./run-inventory-status.ts")).runInventoryStatus(context),
    },
    {
      name: "inventory rebuild",
      summary: "Make everything anew from what the sources told, and let that serve",
      description: [
        "Normalises, merges, encodes and indexes all models as this version of the program does it, into a new table that takes the old one's place when it is complete. The old one serves until then, and what others write meanwhile is in the new one too. The disk holds both for a while.",
        "The vectors are of the encoder that MODELSCOUT_ENCODER names, or of the same as before where it is not set. Ctrl-C, a crash or a full disk leaves the old table as it was.",
      ],
      options: [json],
      examples: [
        ["inventory rebuild", "after an update of modelscout"],
        ["MODELSCOUT_ENCODER=Xenova/all-MiniLM-L6-v2 modelscout inventory rebuild", "with vectors of another encoder"],
      ],
      exits: [
        [1, "it could not be rebuilt; the old table serves on"],
        [130, "stopped by Ctrl-C; the old table serves on"],
      ],
      run: async (context) => (await import("./run-inventory-rebuild.ts")).runInventoryRebuild(context),
    },
    {
      name: "inventory compact",
      summary: "Merge files, index all rows and drop what is old",
      description: [
        "What a server does in small steps when it is due, done at once and in full: afterwards searches are as fast as they get, and the disk holds nothing but the models and what was written in the last ten minutes. Imports and syncs wait meanwhile.",
      ],
      options: [json],
      examples: [["inventory compact", "after a large import"]],
      run: async (context) => (await import("./run-inventory-compact.ts")).runInventoryCompact(context),
    },
    {
      name: "inventory verify",
      summary: "Check that rows, vectors and indexes are what they must be",
      description: [
        "Reads every row: that keys are unique, entries can be read and agree with the columns and with what the sources told, vectors are whole, and writes are numbered well; then looks for some of the models in every index. It looks at one moment, so writers do not disturb it.",
      ],
      options: [
        { name: "sample", value: "N", help: "How many models are looked for in every index; default 100" },
        json,
      ],
      examples: [["inventory verify", "all rows"]],
      exits: [
        [0, "all is well"],
        [1, "something is wrong, and told"],
      ],
      run: async (context) => (await import("./run-inventory-verify.ts")).runInventoryVerify(context),
    },
  ],
};
