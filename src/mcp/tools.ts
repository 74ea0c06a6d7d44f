import type { DescMessage, DescMethodUnary, Message, MessageShape } from "@bufbuild/protobuf";
import { InventoryService } from "../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService } from "../../gen/modelscout/v1/recommendation_pb.ts";
import {
  answerText,
  comparisonText,
  entryText,
  estimateText,
  familiesText,
  modelsText,
  planText,
  tasksText,
} from "./answer-texts.ts";

/** A tool: a method of the contract under a name for agents. */
export interface Tool {
  name: string;
  /** The name for people. */
  title: string;
  /** When to use it and how, for the agent. */
  description: string;
  method: DescMethodUnary;
  /** The answer in a few lines, for hosts that do not show structured content. */
  text: (answer: Message) => string;
  /** Names of lists that keep all their entries as long as others can be shortened: entries of several belong together. */
  whole?: readonly string[];
}

/** Models in a page: an agent reads every one, so pages are smaller than for programs. */
export const toolPageSize = { usual: 20, most: 50 } as const;

const { recommend } = RecommendationService.method;
const { searchModels, getModel, compareModels, estimateHardware, planHardware, listTasks, listFamilies } =
  InventoryService.method;

/** All tools, in the order in which they are listed. Each only reads. */
export const tools: readonly Tool[] = [
  tool(recommend, {
    name: "recommend_models",
    title: "Recommend models for a need",
    description:
      "Recommends AI models for a need that is described in plain English, best first, with reasons, trade-offs and what it takes to run them. Use it when someone asks which model to use. Describe the input, the output, the language, the machine and the use in `description`; set the other fields only for strict limits. A `score` is the chance, 0 to 1, that someone who knows the field would call the model a good choice. Each call uses one recommendation of the caller's daily quota.",
    text: answerText,
  }),
  tool(searchModels, {
    name: "search_models",
    title: "Search models by name and facts",
    description:
      "Finds models by parts of their names and by facts such as family, task, licence, size or languages, in pages. Use it to find the exact name of a model, or to list models; use recommend_models to choose one for a need. It uses no quota.",
    text: modelsText,
  }),
  tool(getModel, {
    name: "get_model",
    title: "Show all facts about a model",
    description:
      "Shows all facts about one model: tasks, licence, sizes, context length, downloadable variants, figures of leaderboards, and memory, fit and speed on four classes of hardware. `model_name` is owner/model. A fact that is absent is unknown.",
    text: entryText,
  }),
  tool(compareModels, {
    name: "compare_models",
    title: "Compare models side by side",
    description:
      "Compares two to eight models: all their facts, the fields in which they differ, their figures on common leaderboards, and, on hardware that you name in `hardware` or `device`, memory, fit and speed of each. `names` are owner/model.",
    text: comparisonText,
    whole: ["models", "values", "figures", "estimates"],
  }),
  tool(estimateHardware, {
    name: "estimate_hardware",
    title: "Estimate memory, fit and speed",
    description:
      "Estimates the memory, the fit and the speed of a model on some hardware. Give the model by name or by its number of parameters, and the hardware by class, by the name of a graphics card, processor or chip, or by figures.",
    text: estimateText,
  }),
  tool(planHardware, {
    name: "plan_hardware",
    title: "Plan hardware for a model",
    description:
      "Lists graphics cards and computers that run a model at a context length and speed, cheapest first, with price classes at launch, fit and speed. Use it when someone asks what to buy, or what a larger card would give; name the hardware that they have today in `device`. Give the model by name or by its number of parameters.",
    text: planText,
  }),
  tool(listTasks, {
    name: "list_tasks",
    title: "List tasks",
    description:
      "Lists the tasks that models are for, with their task types and numbers of models, most models first. Use it to find a value for `task` or `task_type` of other tools.",
    text: tasksText,
  }),
  tool(listFamilies, {
    name: "list_families",
    title: "List families of models",
    description:
      "Lists the families of models, such as qwen, llama or whisper, with their numbers of models, most models first. Use it to find a value for `family` of search_models.",
    text: familiesText,
  }),
];

function tool<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  row: Omit<Tool, "method" | "text"> & { text: (answer: MessageShape<O>) => string },
): Tool {
  return { ...row, method, text: row.text as Tool["text"] };
}
