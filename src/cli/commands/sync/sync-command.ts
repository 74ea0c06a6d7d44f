import { sourceNames } from "../../../config/source-names.ts";
import type { Command } from "../../command.ts";

/** `modelscout sync` */
export const syncCommand: Command = {
  name: "sync",
  summary: "Bring the inventory up to date with the Hugging Face Hub, LocalAI's gallery or an Ollama",
  description: [
    "Lists what the sources have and merges it into the inventory, one source after the other. What did not change is not written again; what a source no longer has is marked and leaves the results after a week. Faults of a source's server (too many requests, errors, cut connections, slow or malformed pages) are got over by asking again; a record that is no model is told and skipped.",
    "Ctrl-C, a crash or a source that stops answering leaves the inventory whole: run the same command again within a day and it goes on where it stopped. A server may run meanwhile and sees the models as they come; it can sync on a schedule of its own, see MODELSCOUT_SYNC.",
  ],
  positionals: [
    {
      name: "SOURCE",
      help: `which to sync: ${sourceNames.join(", ")}; default huggingface`,
      rest: true,
      optional: true,
    },
  ],
  options: [
    { name: "limit", value: "N", help: "The N most downloaded models of the Hub; default 20000" },
    { name: "cards", value: "N", help: "Read the model cards of the N most downloaded ones; default 500" },
    { name: "json", help: "Print the reports as JSON" },
  ],
  examples: [
    ["sync", "the 20,000 most downloaded models of the Hub"],
    ["sync huggingface localai", "two sources"],
    ["sync --limit 200000 --cards 5000", "more of the Hub; a token in HF_TOKEN raises its limits"],
    ["sync ollama", "the models that the Ollama on this machine has"],
  ],
  exits: [
    [0, "synced; faults that were got over and skipped records are counted in the summary"],
    [1, "a source, or a part of it, could not be had; what was is in the inventory"],
    [130, "stopped by Ctrl-C; what was synced stays"],
  ],
  run: async (context) => (await import("./run-sync.ts")).runSyncs(context),
};
