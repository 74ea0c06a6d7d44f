import type { Command } from "../../command.ts";
import { formOptions, hardwareOptions } from "./fit-command.ts";

/** `modelscout plan` */
export const planCommand: Command = {
  name: "plan",
  summary: "List what hardware runs a model, the least first, with launch prices",
  description: [
    "Tries graphics cards, several of a kind together, and computers with shared memory, and lists those that hold the model and are fast enough, by their makers' launch prices. Today's prices differ, and a card needs a computer.",
    "The hardware options, or --detect, name the device that you have today. It is shown beside the list, and cards are planned for its computer.",
  ],
  positionals: [{ name: "MODEL", help: "a model as owner/model, or any name together with --parameters" }],
  options: [
    {
      name: "min-tokens-per-second",
      value: "N",
      help: "The least likely speed of generation for one user; default any",
    },
    { name: "max-devices", value: "N", help: "The most cards of a kind together, 1 to 8; default 4" },
    ...formOptions,
    ...hardwareOptions,
    { name: "json", help: "Print JSON, as returned by POST /models/hardware" },
  ],
  examples: [
    ["plan Qwen/Qwen3-32B", "all that runs a model, the least first"],
    ["plan Qwen/Qwen3-32B --context 32768 --min-tokens-per-second 20 --detect", "for long texts, beside this machine"],
    ['plan my-model --parameters 70B --quantization Q4_K_M --gpu "RTX 3090"', "a model of your own"],
  ],
  run: async (context) => (await import("./run-plan.ts")).runPlan(context),
};
