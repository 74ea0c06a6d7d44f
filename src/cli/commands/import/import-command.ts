import type { Command } from "../../command.ts";

/** `modelscout import` */
export const importCommand: Command = {
  name: "import",
  summary: "Import models from a file into the inventory",
  description: [
    "The file has one model a line, as JSON; only name (owner/model) is required. Other fields: source, source_url, task_types, tags, description, license, parameters, active_parameters, context_length, size_gb, downloads, likes, updated_at, library, languages, base_model, gated, variants, card, attention. A name ending in .gz is decompressed; - is standard input.",
    "A model that the inventory has already is replaced. A bad line is reported on standard error and skipped, the rest is imported. Ctrl-C stops after the batch being written; what is written stays. A server may run meanwhile and sees the models as they come.",
  ],
  positionals: [{ name: "FILE", help: "a file in JSON Lines, or - for standard input" }],
  options: [
    { name: "source", value: "NAME", help: "Name of the source, for lines that tell none; default import" },
    { name: "strict", help: "Exit with status 1 if any line is skipped; good lines are imported all the same" },
    { name: "json", help: "Print the summary as JSON" },
  ],
  examples: [
    ["import models.jsonl", "a file"],
    ["import models.jsonl.gz --source mirror --strict", "a compressed file, and no bad line goes unnoticed"],
    [`import - < models.jsonl`, "standard input"],
    [
      `import one.jsonl   # {"name": "acme/tiny", "task_types": ["text-generation"], "license": "mit"}`,
      "what a line looks like",
    ],
  ],
  exits: [
    [0, "imported; skipped lines are counted in the summary"],
    [1, "nothing was imported, the file could not be read to its end, or --strict and a line was skipped"],
    [130, "stopped by Ctrl-C; what was written stays"],
  ],
  run: async (context) => (await import("./run-import.ts")).runImport(context),
};
