import type { Command, OptionSpec } from "../../command.ts";

/** The options that name hardware, also of `recommend`. */
export const hardwareOptions: readonly OptionSpec[] = [
  {
    name: "gpu",
    value: "NAME",
    help: "A graphics card or chip in any usual spelling, such as RTX 3060; join different cards with a plus: RTX 3090 + RTX 3060",
  },
  { name: "gpus", value: "N", help: "How many of these cards; default 1" },
  { name: "cpu", value: "NAME", help: "The processor, such as Ryzen 7 5800X" },
  { name: "memory", value: "GB", help: "Memory of one card, or of the machine if it has no card" },
  { name: "bandwidth", value: "GB/s", help: "Memory bandwidth of one card or of the machine" },
  { name: "system-memory", value: "GB", help: "Main memory of the machine that has the card" },
];

/** The options that say how a model is run, also of `plan`. */
export const formOptions: readonly OptionSpec[] = [
  { name: "class", value: "CLASS", help: "cpu, gpu-8gb, gpu-24gb or apple-silicon, instead of the options above" },
  { name: "detect", help: "Use this machine's hardware; prints what was found and what was assumed" },
  { name: "quantization", value: "NAME", help: "Only this form, such as Q4_K_M, bf16, AWQ or FP8" },
  {
    name: "context",
    value: "TOKENS",
    help: "Tokens held in the cache; default 8192, or the model's context length if it is shorter",
  },
  {
    name: "cache-type",
    value: "TYPE",
    help: "Number format of the key-value cache: f16 (default), q8_0, q4_0, fp8 …",
  },
  { name: "engine", value: "NAME", help: "llama.cpp, ollama, vllm, mlx …; default the usual engine for the form" },
  {
    name: "parameters",
    value: "N",
    help: "Number of parameters, such as 8B, for a model that is not in the inventory",
  },
];

/** `modelscout fit` */
export const fitCommand: Command = {
  name: "fit",
  summary: "Estimate how a model runs on hardware: memory, fit and speed of each of its forms",
  description: [
    "A form is one download of a model, such as bf16 or Q4_K_M. Prints a row for each published form, or for the usual quantizations if only the full-quality form is known, and marks the best choice. Without hardware options it shows all four hardware classes. Speeds are for one user, as low, likely and high; the lines below the table explain the estimate.",
    "With --measured or --measure, and without hardware options, the estimate is for this machine. A measured speed is refused if it is higher than the device can reach.",
    "A number that you give (such as --memory) overrides what is known about a named device; both override --detect.",
  ],
  positionals: [{ name: "MODEL", help: "a model as owner/model, or any name together with --parameters" }],
  options: [
    ...hardwareOptions,
    ...formOptions,
    {
      name: "measured",
      value: "TOKENS/S",
      help: "The speed that you measured; it is kept in MODELSCOUT_HOME and corrects all later estimates for this device",
    },
    {
      name: "measure",
      help: "Let Ollama or llama.cpp on this machine generate text with the model, measure the speed, and keep it as --measured does",
    },
    {
      name: "measure-url",
      value: "URL",
      help: "Address of the Ollama or llama.cpp server for --measure; default MODELSCOUT_OLLAMA_URL, then http://127.0.0.1:8080",
    },
    { name: "json", help: "Print JSON with the fields of POST /models/estimate" },
  ],
  examples: [
    ['fit Qwen/Qwen3-8B --gpu "RTX 3060"', "which form fits a graphics card"],
    ["fit Qwen/Qwen3-8B --detect", "on this machine"],
    ["fit Qwen/Qwen3-8B --quantization Q4_K_M --measured 23.5", "correct the estimates for this machine"],
    ['fit meta-llama/Llama-3.3-70B-Instruct --gpu "RTX 3090" --gpus 2 --context 32768', "two cards and long texts"],
    ['fit my-model --parameters 24B --gpu "Apple M4 Max" --memory 64', "a model of your own"],
  ],
  run: async (context) => (await import("./run-fit.ts")).runFit(context),
};

/** `modelscout plan` */
export const planCommand: Command = {
  name: "plan",
  summary: "List the hardware that runs a model, cheapest first, with launch prices",
  description: [
    "Tries graphics cards (one, or several of the same kind) and computers with shared memory. Lists those that have enough memory for the model and are fast enough, ordered by their makers' launch prices. Today's prices differ, and the price of a card does not include a computer.",
    "The hardware options, or --detect, name the device that you have today. The list shows it too. The estimates for graphics cards assume that the card is in the computer of that device.",
  ],
  positionals: [{ name: "MODEL", help: "a model as owner/model, or any name together with --parameters" }],
  options: [
    {
      name: "min-tokens-per-second",
      value: "N",
      help: "Minimum expected speed for one user, in tokens a second; default any",
    },
    { name: "max-devices", value: "N", help: "Maximum number of cards of a kind, 1 to 8; default 4" },
    ...formOptions,
    ...hardwareOptions,
    { name: "json", help: "Print JSON, as returned by POST /models/hardware" },
  ],
  examples: [
    ["plan Qwen/Qwen3-32B", "all hardware that runs a model, cheapest first"],
    [
      "plan Qwen/Qwen3-32B --context 32768 --min-tokens-per-second 20 --detect",
      "for long texts, together with this machine",
    ],
    ['plan my-model --parameters 70B --quantization Q4_K_M --gpu "RTX 3090"', "a model of your own"],
  ],
  run: async (context) => (await import("./run-plan.ts")).runPlan(context),
};
