import type { Command } from "../../command.ts";

/** `modelscout import` */
export const importCommand: Command = {
  name: "import",
  summary: "Import models from a file into the inventory",
  description: [
    "The file has one JSON object per line, such as this one:",
    `{"name": "acme/tiny", "task_types": ["text-generation"], "license": "mit"}`,
    "Only name is required, as owner/model. Other fields: source, source_url, task_types, tags, description, license, parameters, active_parameters, context_length, size_gb, downloads, likes, updated_at, library, languages, base_model, gated, variants, card, attention, evaluations, capabilities, facts_from. docs/inventory.md explains them.",
    "A line replaces its source's earlier facts about the model; facts of other sources stay. A bad line is reported on standard error and skipped; the rest is imported. Ctrl-C stops after the current batch; what was written stays. A server may run at the same time and sees new models at once.",
  ],
  positionals: [{ name: "FILE", help: "a JSON Lines file (gzip if the name ends in .gz), or - for standard input" }],
  options: [
    { name: "source", value: "NAME", help: "The source of lines that have no field source; default import" },
    { name: "strict", help: "Exit with status 1 if any line is skipped; good lines are still imported" },
    { name: "json", help: "Print the summary as JSON" },
  ],
  examples: [
    ["import models.jsonl", "a file"],
    ["import models.jsonl.gz --source mirror --strict", "a compressed file; fail if a line is bad"],
    ["import - < models.jsonl", "standard input"],
  ],
  exits: [
    [0, "imported; skipped lines are counted in the summary"],
    [1, "nothing was imported, the file could not be read to its end, or --strict and a line was skipped"],
    [130, "stopped by Ctrl-C; what was written stays"],
  ],
  run: async (context) => (await import("./run-import.ts")).runImport(context),
};
