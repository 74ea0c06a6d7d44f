import type { Command } from "../../command.ts";

/** `modelscout recommend` */
export const recommendCommand: Command = {
  name: "recommend",
  summary: "Recommend models for a need in plain English",
  description: [
    "Answers from the inventory on this machine; no server is needed. Say what the model is for, in your own words: what it works on, in which language, on what machine, for what use.",
    "Options are limits that every result keeps, without exception. Wishes in the words themselves (“on a laptop”, “for commercial use”) rank the results; the answer tells which were understood, and --ignore disregards one.",
  ],
  positionals: [{ name: "NEED", help: "say in plain English what the model is needed for", rest: true }],
  options: [
    {
      name: "task",
      value: "TYPE",
      help: "Only models of this type: text-gen, image-gen, code, embed, classify, vision, audio, multimodal or other",
    },
    { name: "hardware", value: "CLASS", help: "Only models that run well on cpu, gpu-8gb, gpu-24gb or apple-silicon" },
    { name: "max-size-gb", value: "GB", help: "Largest download in gigabytes" },
    {
      name: "license",
      value: "LICENCE",
      help: "open, permissive, commercial, or a licence id such as apache-2.0; default any",
    },
    {
      name: "language",
      value: "CODE",
      repeatable: true,
      help: "A language that must be handled, such as en or de; may be repeated",
    },
    { name: "min-context", value: "TOKENS", help: "Least context length in tokens" },
    { name: "top-k", value: "N", help: "How many results, 1 to 50; default 5" },
    {
      name: "ignore",
      value: "WISH",
      repeatable: true,
      help: "A wish of the words to disregard: a kind such as hardware, or kind:value; may be repeated",
    },
    { name: "json", help: "Print JSON, as POST /models/recommend answers" },
  ],
  examples: [
    ['recommend "transcribe meetings on a laptop CPU"', "words alone"],
    ['recommend "product photos for a web shop" --license commercial --hardware gpu-8gb', "with limits"],
    [
      'recommend "answer customers in German and French" --language de --language fr --max-size-gb 5',
      "in two languages, small",
    ],
    ['recommend "search our documents by meaning" --top-k 1 --json', "the best one, for a program"],
  ],
  run: async (context) => (await import("./run-recommend.ts")).runRecommend(context),
};
