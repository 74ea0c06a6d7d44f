import type {
  CompareModelsResponse,
  HardwareOption,
  ListFamiliesResponse,
  ListTasksResponse,
  PlanHardwareResponse,
  SearchModelsResponse,
} from "../../gen/modelscout/v1/inventory_pb.ts";
import type { HardwareEstimate, ModelEntry, ModelSummary } from "../../gen/modelscout/v1/model_pb.ts";
import type { Recommendation, RecommendResponse, Sizing } from "../../gen/modelscout/v1/recommendation_pb.ts";
import { speedText } from "../hardware/index.ts";
import { formatCount, formatGb } from "../recommend/index.ts";

/** Longer lists are in the structured content only. */
const MOST_LINES = 20;
const MOST_RECOMMENDATIONS = 10;
const MOST_REASONS = 2;
const MOST_FIGURES = 5;

/** An answer to a need: how the need was understood, then each model with reasons and trade-offs. */
export function answerText({ results, understood, modelsSearched, modelsAfterFilter }: RecommendResponse): string {
  const tasks = (understood?.tasks ?? []).map(({ task }) => task);
  const wishes = (understood?.wishes ?? []).map(({ kind, value }) => `${kind} ${value}`);
  const read = [...tasks, ...wishes].join(", ") || "no particular task";
  const head = `Understood: ${read}. ${formatCount(modelsAfterFilter)} of ${formatCount(modelsSearched)} models meet the limits.`;
  if (results.length === 0) {
    return `${head} No model suits: loosen a limit, or describe the need in other words.`;
  }
  return lines([head, ...results.slice(0, MOST_RECOMMENDATIONS).map(recommendationText)], results.length);
}

function recommendationText({ model, score, reasons, tradeoffs, sizing }: Recommendation, index: number): string {
  const facts = [`score ${score.toFixed(2)}`, model?.license ?? "licence unknown", ...sizingWords(sizing)];
  const sentences = [
    ...reasons.slice(0, MOST_REASONS).map((reason) => `   + ${reason}`),
    ...tradeoffs.slice(0, MOST_REASONS).map((tradeoff) => `   - ${tradeoff}`),
  ];
  return [`${index + 1}. ${model?.name ?? ""}: ${facts.join(", ")}`, ...sentences].join("\n");
}

function sizingWords(sizing: Sizing | undefined): string[] {
  const { sizeGb, quantization, memoryGb, fit, hardware, unpublished } = sizing ?? {};
  const download =
    sizeGb === undefined ? "download size unknown" : `${formatGb(sizeGb)}${unpublished ? "" : " download"}`;
  return [
    quantization === undefined ? download : `${download} as ${quantization}`,
    ...(memoryGb === undefined ? [] : [`${formatGb(memoryGb)} of memory`]),
    ...(fit === undefined || hardware === undefined ? [] : [`${fit} on ${hardware}`]),
    ...speedWords(sizing),
  ];
}

function speedWords(estimate: Pick<Sizing, "tokensPerSecond" | "throughput"> | undefined): string[] {
  const { tokensPerSecond: speed, throughput } = estimate ?? {};
  return speed === undefined
    ? throughput === undefined
      ? []
      : [throughput.summary]
    : [`about ${speedText(speed.likely)} tokens/s`];
}

/** A page of models, a line each. */
export function modelsText({ total, models, nextPageToken }: SearchModelsResponse): string {
  const head = total === 0 ? "No model matches." : `${formatCount(total)} models match.`;
  const more = nextPageToken === "" ? [] : ["There are more: send next_page_token as page_token."];
  return [lines([head, ...models.slice(0, MOST_LINES).map(summaryText)], models.length), ...more].join("\n");
}

function summaryText(model: ModelSummary): string {
  return `- ${model.name}: ${factsOf(model).join(", ")}`;
}

function factsOf(model: ModelSummary | ModelEntry): string[] {
  const { taskTypes, license, parameters, sizeGb } = model;
  return [
    taskTypes.join(" and ") || "task unknown",
    license ?? "licence unknown",
    ...(parameters === undefined ? [] : [`${formatCount(parameters)} parameters`]),
    ...(sizeGb === undefined ? [] : [`${formatGb(sizeGb)} download`]),
  ];
}

/** A model: its most asked-for facts, its figures of leaderboards, and how it runs. */
export function entryText(model: ModelEntry): string {
  const { name, family, contextLength, capabilities, evaluations, hardware, run } = model;
  const context = contextLength === undefined ? [] : [`context of ${formatCount(contextLength)} tokens`];
  return [
    `${name}: family ${family}, ${[...factsOf(model), ...context].join(", ")}`,
    ...(capabilities.length > 0 ? [`- can do: ${capabilities.join(", ")}`] : []),
    ...evaluations.slice(0, MOST_FIGURES).map(({ summary }) => `- ${summary}`),
    ...hardware.map((estimate) => `- ${estimateText(estimate)}`),
    ...(run.length > 0
      ? [`- runs with ${run.map(({ engine }) => engine).join(", ")}: the commands are in \`run\``]
      : []),
    ...new Set(run.flatMap(({ engine, note }) => (note === undefined ? [] : [`- with ${engine}: ${note}`]))),
  ].join("\n");
}

/** Models side by side: the fields that differ, common leaderboards, and how each model runs. */
export function comparisonText({ models, differences, boards, estimates }: CompareModelsResponse): string {
  const listed = differences.filter(({ field }) => !longFields.has(field)).slice(0, MOST_LINES);
  return [
    `Compared: ${models.map(({ name }) => name).join(" | ")}`,
    ...listed.map(({ field, values }) => `- ${field}: ${values.map((value) => value || "unknown").join(" | ")}`),
    ...boards.slice(0, MOST_FIGURES).map(({ name, metric, figures }) => {
      const values = figures.map(({ value, best }) =>
        value === undefined ? "none" : `${value}${best ? " (best)" : ""}`,
      );
      return `- ${name}, ${metric}: ${values.join(" | ")}`;
    }),
    ...estimates.map(({ modelName, estimate }) =>
      estimate === undefined ? `- ${modelName}: size unknown` : `- ${modelName}: ${estimateText(estimate)}`,
    ),
  ].join("\n");
}

/** Fields whose values are too long for a line. */
const longFields: ReadonlySet<string> = new Set(["description", "tags", "source_url", "variants", "license_terms.url"]);

/** How a model runs on hardware, in one line. */
export function estimateText(estimate: HardwareEstimate): string {
  const { hardware, fit, quantization, memoryGb } = estimate;
  return [`On ${hardware}: ${fit}`, `${formatGb(memoryGb)} of memory as ${quantization}`, ...speedWords(estimate)].join(
    ", ",
  );
}

/** The least devices that run a model, after the one of today. */
export function planText({ options, today }: PlanHardwareResponse): string {
  const now = today === undefined ? [] : [`Today: ${optionText(today)}`];
  if (options.length === 0) {
    return [...now, "No known device runs it."].join("\n");
  }
  const rows = options.slice(0, MOST_RECOMMENDATIONS).map((option) => `- ${optionText(option)}`);
  return [...now, lines(["Devices, cheapest first:", ...rows], options.length)].join("\n");
}

function optionText({ device, deviceCount, memoryGb, priceClass, estimate, meetsSpeed }: HardwareOption): string {
  const { fit, quantization, memoryGb: needed } = estimate ?? {};
  return [
    `${deviceCount > 1 ? `${deviceCount} x ` : ""}${device} (${formatGb(memoryGb)}, price ${priceClass ?? "unknown"}): ${fit ?? "unknown"}`,
    ...(needed === undefined ? [] : [`${formatGb(needed)} of memory as ${quantization}`]),
    ...speedWords(estimate),
    ...(meetsSpeed === false ? ["too slow"] : []),
  ].join(", ");
}

/** The tasks with the most models. */
export function tasksText({ tasks }: ListTasksResponse): string {
  const rows = tasks
    .slice(0, MOST_LINES)
    .map(({ task, taskType, count }) => `- ${task} (${taskType}): ${formatCount(count)}`);
  return lines([`${formatCount(tasks.length)} tasks, with their numbers of models:`, ...rows], tasks.length);
}

/** The families with the most models. */
export function familiesText({ families }: ListFamiliesResponse): string {
  const rows = families.slice(0, MOST_LINES).map(({ family, count }) => `- ${family}: ${formatCount(count)}`);
  return lines([`${formatCount(families.length)} families, with their numbers of models:`, ...rows], families.length);
}

/** Joins lines, and says how many entries have none. */
function lines(all: readonly string[], entries: number): string {
  const left = entries - (all.length - 1);
  return [...all, ...(left > 0 ? [`… and ${formatCount(left)} more in the structured content`] : [])].join("\n");
}
