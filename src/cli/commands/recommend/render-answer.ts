import type { Recommendation, RecommendResponse, Understood } from "../../../../gen/modelscout/v1/recommendation_pb.ts";
import { formatGb } from "../../../recommend/index.ts";
import { fitStyle, formatFit, formatSpeed } from "../../terminal/format.ts";
import type { Style, Terminal } from "../../terminal/terminal.ts";
import { cleanText, displayWidth, unbroken, wrapText } from "../../terminal/text.ts";

const CELLS = 10;

/** A score of 0 to 1 as a bar with its number; in a pipe only the number. */
export function renderScore(score: number, terminal: Terminal): string {
  // Only what is certain is shown as 1.
  const figure = score < 1 ? Math.min(0.99, Number(score.toFixed(2))).toFixed(2) : score.toFixed(2);
  if (terminal.width === undefined) {
    return `score ${figure}`;
  }
  const full = Math.round(Math.min(1, Math.max(0, score)) * CELLS);
  const style: Style = score >= 0.7 ? "green" : score >= 0.45 ? "yellow" : "red";
  return `${terminal.paint(style, "█".repeat(full))}${terminal.paint("dim", "░".repeat(CELLS - full))} ${figure}`;
}

/** More would hide the next result; --json lists all. */
const MOST_REASONS = 3;
const MOST_TRADEOFFS = 3;
const MOST_ALTERNATIVES = 4;
/** Room for "10. " before the lines of a result. */
const INDENT = "    ";

/** Renders an answer: how the need was understood, then a block for each result. */
export function renderAnswer(response: RecommendResponse, terminal: Terminal): string {
  const { results, understood } = response;
  const blocks = results.map((result, i) => renderResult(result, i + 1, terminal));
  return [
    renderHead(response, understood, terminal),
    ...(blocks.length > 0 ? blocks : [nothingFound(response, terminal)]),
  ].join("\n\n");
}

function renderHead(response: RecommendResponse, understood: Understood | undefined, terminal: Terminal): string {
  const tasks = (understood?.tasks ?? []).map(({ task, confidence }) => `${task} ${Math.round(100 * confidence)} %`);
  const wishes = (understood?.wishes ?? []).map(({ kind, value, words }) => `${kind} ${value} (“${words}”)`);
  const read = [tasks.join(", ") || "no particular task", ...wishes].join("; ");
  const isModels = understood?.tasks.some(({ source }) => source === "language-model") === true;
  const searched = `Searched ${response.modelsSearched.toLocaleString("en")} models, ${response.modelsAfterFilter.toLocaleString("en")} within the limits, in ${response.queryTimeMs} ms`;
  return [
    wrapText(read, terminal.width, isModels ? "Understood by the language model: " : "Understood: "),
    terminal.paint("dim", wrapText(searched, terminal.width)),
  ].join("\n");
}

function nothingFound({ modelsSearched, modelsAfterFilter }: RecommendResponse, terminal: Terminal): string {
  const why =
    modelsSearched === 0
      ? "The inventory is empty: import models, or switch MODELSCOUT_STARTER on."
      : modelsAfterFilter === 0
        ? "No model meets all the limits. A limit on size, licence, languages or context length excludes models for which that is unknown; loosen a limit."
        : "No model within the limits suits this need; describe it in other words, or loosen a limit.";
  return wrapText(why, terminal.width);
}

function renderResult(result: Recommendation, rank: number, terminal: Terminal): string {
  const { reasons, tradeoffs, alternatives } = result;
  const list = (mark: string, sentences: readonly string[], most: number) =>
    sentences.slice(0, most).map((text) => wrapText(text, terminal.width, `${INDENT}${mark} `));
  const more = Math.max(0, alternatives.length - MOST_ALTERNATIVES);
  const others = alternatives.slice(0, MOST_ALTERNATIVES).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return [
    renderTitle(result, rank, terminal),
    wrapText(factsOf(result), terminal.width, INDENT),
    ...renderSizing(result, terminal),
    ...list("+", reasons, MOST_REASONS).map((text) => text.replace("+", () => terminal.paint("green", "+"))),
    ...list("-", tradeoffs, MOST_TRADEOFFS).map((text) => text.replace("-", () => terminal.paint("yellow", "-"))),
    ...(others === ""
      ? []
      : [terminal.paint("dim", wrapText(others, terminal.width, `${INDENT}Alternatives: `, `${INDENT}  `))]),
  ].join("\n");
}

/** The columns that a bar, its figure and a gap take. */
const SCORE_WIDTH = 17;

function renderTitle({ model, score }: Recommendation, rank: number, terminal: Terminal): string {
  const name = cleanText(model?.name ?? "");
  const head = `${`${rank}.`.padEnd(INDENT.length)}${terminal.paint("bold", name)}`;
  const used = INDENT.length + displayWidth(name);
  const room = (terminal.width ?? 0) - used - SCORE_WIDTH;
  const gap =
    terminal.width === undefined || room < 0 ? "  " : " ".repeat(Math.max(2, Math.min(SCORE_COLUMN - used, room + 2)));
  return `${head}${gap}${renderScore(score, terminal)}`;
}

/** The column of the bars if there is room: aligned, and not too far from the names. */
const SCORE_COLUMN = 60;

function factsOf({ model }: Recommendation): string {
  const { family = "", taskTypes = [], license } = model ?? {};
  return [family, taskTypes.join(", ") || "task unknown", license ?? "licence unknown"].join(" · ");
}

function renderSizing({ sizing, model }: Recommendation, terminal: Terminal): string[] {
  if (sizing === undefined) {
    const text = model?.sizeGb === undefined ? "size unknown" : `${formatGb(model.sizeGb)} download`;
    return [`${INDENT}${text}`];
  }
  const { quantization, sizeGb, memoryGb, hardware, fit, tokensPerSecond, throughput } = sizing;
  const fitText = fit === undefined || hardware === undefined ? undefined : formatFit(fit, hardware);
  const parts = [
    [
      sizeGb === undefined ? "size unknown" : `${formatGb(sizeGb)} download`,
      quantization === undefined ? "" : `as ${quantization}`,
    ]
      .filter(Boolean)
      .join(" "),
    memoryGb === undefined ? undefined : `${formatGb(memoryGb)} of memory`,
    fitText,
    tokensPerSecond === undefined ? throughput?.summary : formatSpeed(tokensPerSecond),
  ];
  const line = wrapText(
    parts
      .filter((part) => part !== undefined)
      .map(unbroken)
      .join(" · "),
    terminal.width,
    INDENT,
  );
  return [
    fitText === undefined || fit === undefined
      ? line
      : line.replace(fitText, () => terminal.paint(fitStyle(fit), fitText)),
  ];
}
