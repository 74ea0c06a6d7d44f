import type { Command } from "../../command.ts";
import { hardwareOptions } from "../fit/hardware-commands.ts";

/** `modelscout recommend` */
export const recommendCommand: Command = {
  name: "recommend",
  summary: "Recommend models for a need in plain English",
  description: [
    "Answers from the inventory on this machine; no server is needed. Describe what the model is for in your own words: its input and output, the language, the machine, the use.",
    "Options that describe the model or the hardware are strict limits: every result meets them. Wishes in the description (“on a laptop”, “for commercial use”) only affect the ranking. The answer lists the wishes that were understood, and --ignore switches one off.",
  ],
  positionals: [{ name: "NEED", help: "what you need the model for, in plain English", rest: true }],
  options: [
    {
      name: "task",
      value: "TYPE",
      help: "Only models of this type: text-gen, image-gen, code, embed, classify, vision, audio, multimodal or other",
    },
    { name: "hardware", value: "CLASS", help: "Only models that run well on cpu, gpu-8gb, gpu-24gb or apple-silicon" },
    ...hardwareOptions,
    { name: "detect", help: "Only models that run well on this machine; prints what was found and what was assumed" },
    {
      name: "min-tokens-per-second",
      value: "N",
      help: "Minimum expected speed in tokens a second, on the hardware that the options or NEED name",
    },
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
      help: "A language that the model must support, such as en or de; may be repeated",
    },
    { name: "min-context", value: "TOKENS", help: "Minimum context length in tokens" },
    { name: "min-parameters", value: "N", help: "Smallest number of parameters, such as 3B" },
    { name: "max-parameters", value: "N", help: "Largest number of parameters, such as 8B" },
    {
      name: "capability",
      value: "NAME",
      repeatable: true,
      help: "What the model must be able to do: tools, reasoning, vision, audio, structured-output or code; may be repeated",
    },
    { name: "exclude-gated", help: "Leave out models that are known to need consent to terms before the download" },
    {
      name: "priority",
      value: "WHAT",
      help: "What matters most among suitable models: balanced, quality, speed or size; default: what NEED says, or balanced if it says nothing",
    },
    { name: "top-k", value: "N", help: "How many results, 1 to 50; default 5" },
    {
      name: "ignore",
      value: "WISH",
      repeatable: true,
      help: "Switch off a wish of the description: a kind such as hardware, or kind:value; may be repeated",
    },
    { name: "json", help: "Print JSON, as returned by POST /models/recommend" },
  ],
  examples: [
    ['recommend "transcribe meetings on a laptop CPU"', "without limits"],
    ['recommend "product photos for a web shop" --license commercial --hardware gpu-8gb', "with limits"],
    [
      'recommend "answer customers in German and French" --language de --language fr --max-size-gb 5',
      "two languages, at most 5 GB",
    ],
    ['recommend "a chat model that calls our functions" --capability tools --detect', "on this machine"],
    ['recommend "search our documents by meaning" --top-k 1 --json', "the best result, as JSON for a program"],
  ],
  run: async (context) => (await import("./run-recommend.ts")).runRecommend(context),
};
