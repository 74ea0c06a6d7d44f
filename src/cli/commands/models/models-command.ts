import type { Command, CommandContext, OptionSpec } from "../../command.ts";
import { hardwareOptions } from "../fit/hardware-commands.ts";

const run = async (
  name: "runFamilies" | "runTasks" | "runFamily" | "runTask" | "runShow" | "runCompare",
  context: CommandContext,
) => (await import("./run-models.ts"))[name](context);

const json = (path: string): OptionSpec => ({ name: "json", help: `Print JSON, as returned by GET ${path}` });
const limit: OptionSpec = { name: "limit", value: "N", help: "List at most N models; default 50" };

/** `modelscout models …` */
export const modelsCommand: Command = {
  name: "models",
  summary: "Browse the inventory: families, tasks, models and their facts",
  description: ["Reads the inventory on this machine; no server is needed. Letter case in names is ignored."],
  examples: [
    ["models families", "all families"],
    ["models task automatic-speech-recognition", "models that transcribe speech"],
    ["models show openai/whisper-small", "one model"],
  ],
  commands: [
    {
      name: "models families",
      summary: "List all families with their number of models",
      description: [
        "A family is a lineage such as qwen or whisper; repackagings and fine-tunes belong to the family of their base model.",
      ],
      options: [json("/models/families")],
      examples: [
        ["models families", "most models first"],
        ["models families | head", "the largest ones"],
      ],
      run: (context) => run("runFamilies", context),
    },
    {
      name: "models tasks",
      summary: "List all tasks with their number of models",
      description: ["Tasks are the hub's labels, such as text-to-image; each belongs to one of nine task types."],
      options: [json("/models/tasks")],
      examples: [["models tasks", "most models first"]],
      run: (context) => run("runTasks", context),
    },
    {
      name: "models family",
      summary: "List the models of a family",
      description: ["The most downloaded models come first."],
      positionals: [{ name: "NAME", help: "a family, such as qwen" }],
      options: [limit, json("/models/family/NAME")],
      examples: [
        ["models family whisper", "the whisper models"],
        ["models family qwen --limit 200 --json", "up to 200 models, as JSON for a program"],
      ],
      run: (context) => run("runFamily", context),
    },
    {
      name: "models task",
      summary: "List the models for a task",
      description: [
        "NAME is a hub label such as text-to-image, or one of the task types text-gen, image-gen, code, embed, classify, vision, audio, multimodal and other. The most downloaded models come first.",
      ],
      positionals: [{ name: "NAME", help: "a task, such as text-to-speech, or a task type, such as audio" }],
      options: [limit, json("/models/task/NAME")],
      examples: [
        ["models task text-to-speech", "by label"],
        ["models task code --limit 10", "by task type"],
      ],
      run: (context) => run("runTask", context),
    },
    {
      name: "models show",
      summary: "Show all known facts of a model",
      description: ["Its facts, its downloads, and how it runs on each class of hardware."],
      positionals: [{ name: "NAME", help: "a model as owner/model, such as openai/whisper-small" }],
      options: [json("/models/detail/NAME")],
      examples: [["models show openai/whisper-small", "facts and estimates"]],
      run: (context) => run("runShow", context),
    },
    {
      name: "models compare",
      summary: "Compare two to eight models",
      description: [
        "Prints the facts that differ, the leaderboard figures that at least two of the models have, and how the best form of each runs on the hardware that the options name, or else on the four hardware classes.",
      ],
      positionals: [{ name: "NAMES", help: "two to eight models as owner/model", rest: true }],
      options: [
        ...hardwareOptions,
        {
          name: "class",
          value: "CLASS",
          help: "cpu, gpu-8gb, gpu-24gb or apple-silicon, instead of the options above",
        },
        { name: "context", value: "TOKENS", help: "Tokens held in the cache, on that hardware" },
        json("/models/compare"),
      ],
      examples: [
        ["models compare Qwen/Qwen3-8B meta-llama/Llama-3.1-8B-Instruct", "facts, leaderboards and estimates"],
        ['models compare openai/whisper-small openai/whisper-large-v3 --gpu "RTX 3060"', "on a graphics card"],
      ],
      run: (context) => run("runCompare", context),
    },
  ],
};
