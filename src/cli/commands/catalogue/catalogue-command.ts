import type { Command, CommandContext } from "../../command.ts";

const run = async (name: "runCheck" | "runAdd" | "runShowEntry" | "runPurposes", context: CommandContext) =>
  (await import("./run-catalogue.ts"))[name](context);

/** `modelscout catalogue …` */
export const catalogueCommand: Command = {
  name: "catalogue",
  summary: "Check and read what the catalogue says about models",
  description: [
    "The catalogue comes with the program. It says in plain words what a model is for, whether it can be used as it is, how it compares with similar models and what replaces it. These are editorial judgements of June 2026, not measurements.",
  ],
  examples: [
    ["catalogue show openai/whisper-small", "what the catalogue says about a model"],
    ["catalogue purposes", "what people want models for, and how many models serve it"],
    ["catalogue check new-entries.jsonl", "check entries before they are added"],
    ["catalogue add new-entries.jsonl", "add them to the catalogue's files"],
  ],
  commands: [
    {
      name: "catalogue show",
      summary: "Show the catalogue's entry of a model, and its facts",
      description: [
        "Letter case is ignored. The facts are those of the starter catalogue, with their day and their origins. A sync may know newer ones, which `modelscout models show` prints.",
      ],
      positionals: [{ name: "NAME", help: "a model as owner/model, such as openai/whisper-small" }],
      options: [
        {
          name: "json",
          help: "Print only the entry, as JSON, completed from the model whose weights it has or whose line it belongs to",
        },
      ],
      examples: [["catalogue show qwen/qwen3-8b", "what Qwen3-8B is for"]],
      run: (context) => run("runShowEntry", context),
    },
    {
      name: "catalogue purposes",
      summary: "List the purposes with the number of models that serve each",
      description: [
        "A purpose is more specific than a task label. The column Models counts models that are made for the purpose or do it well; Good counts those among them that are not outdated.",
      ],
      examples: [["catalogue purposes", "all purposes"]],
      run: (context) => run("runPurposes", context),
    },
    {
      name: "catalogue check",
      summary: "Check entries: fields, purposes, contradictions, names, sizes",
      description: [
        "Without FILE it checks the catalogue that comes with the program, and whether the sizes of the models of the starter catalogue follow from their parameters and precision. Prints where each problem is.",
      ],
      positionals: [{ name: "FILE", help: "entries to check, one JSON object a line", optional: true }],
      examples: [
        ["catalogue check", "the whole catalogue"],
        ["catalogue check new-entries.jsonl", "a file of new entries"],
      ],
      exits: [[1, "an entry has a problem"]],
      run: (context) => run("runCheck", context),
    },
    {
      name: "catalogue add",
      summary: "Check new entries and add them to the catalogue's files",
      description: [
        "For maintainers, in a clone of the project. Each entry is added to the file for the area of its first purpose. If one of them has a problem, none is added. docs/catalogue.md says how to write an entry, and where a new model's facts and its comparison with other models belong.",
      ],
      positionals: [{ name: "FILE", help: "new entries, one JSON object a line" }],
      options: [{ name: "folder", value: "DIR", help: "The folder of the entries; default: src/catalogue/cards" }],
      examples: [["catalogue add new-entries.jsonl", "add the entries of a file"]],
      exits: [[1, "an entry has a problem"]],
      run: (context) => run("runAdd", context),
    },
  ],
};
