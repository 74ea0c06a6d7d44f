import { sourceNames } from "../../../config/source-names.ts";
import type { Command } from "../../command.ts";

/** `modelscout sync` */
export const syncCommand: Command = {
  name: "sync",
  summary: "Update the inventory from the Hugging Face Hub, LocalAI's gallery, Ollama or leaderboards",
  description: [
    "Lists the models of the sources and merges them into the inventory, one source after the other. Unchanged models are not written again. A model that its sources no longer have is removed after a week. Requests that fail (rate limits, server errors, cut connections, slow or malformed pages) are retried. Invalid records are reported and skipped.",
    "The source evaluations reads leaderboard figures for the models in the inventory, at the leaderboards' own addresses (see MODELSCOUT_BOARD_URLS); it adds no models. A leaderboard that cannot be read, or that changed its format, is reported and keeps its last figures.",
    "Ctrl-C, a crash or a source that stops answering leaves the inventory intact. Run the same command again within a day, and it resumes where it stopped. A server may run at the same time and sees new models at once; it can also sync on a schedule, see MODELSCOUT_SYNC.",
  ],
  positionals: [
    {
      name: "SOURCE",
      help: `the sources to sync: ${sourceNames.join(", ")}; default huggingface`,
      rest: true,
      optional: true,
    },
  ],
  options: [
    { name: "limit", value: "N", help: "Read only the N most downloaded models of the Hub; default 20000" },
    { name: "cards", value: "N", help: "Read the model cards of the N most downloaded models; default 500" },
    { name: "json", help: "Print the reports as JSON" },
  ],
  examples: [
    ["sync", "the 20,000 most downloaded models of the Hub"],
    ["sync huggingface localai", "two sources"],
    ["sync --limit 200000 --cards 5000", "more of the Hub; a token in HF_TOKEN raises its limits"],
    ["sync ollama", "the models of the Ollama on this machine"],
    ["sync evaluations", "the figures of leaderboards"],
  ],
  exits: [
    [0, "synced; the summary counts retried faults and skipped records"],
    [1, "a source, or a part of it, could not be read; the rest is in the inventory"],
    [130, "stopped by Ctrl-C; what was written stays"],
  ],
  run: async (context) => (await import("./run-sync.ts")).runSyncs(context),
};
