import type { FittedModel, FittedVariant } from "../hardware/index.ts";
import { formatGb } from "../recommend/figures-in-words.ts";
import { cleanText } from "./clean-text.ts";
import type { FitAnswer } from "./fit-json.ts";
import { fitStyle } from "./format-fit.ts";
import { memoryBar } from "./memory-bar.ts";
import { type Column, renderTable } from "./render-table.ts";
import type { Style, Terminal } from "./terminal.ts";
import { wrapText } from "./wrap-text.ts";

/** How a model runs on each device, for people. */
export function renderFit({ modelName, fitted, detected }: FitAnswer, terminal: Terminal): string {
  const found = (detected?.found ?? []).map((text) => note("Found: ", text, terminal));
  const assumed = (detected?.assumed ?? []).map((text) => note("Assumed: ", text, terminal));
  const head = terminal.paint("bold", cleanText(modelName));
  const blocks = fitted.map((one) => renderDevice(one, terminal, fitted.length === 1));
  return [[head, ...found, ...assumed].join("\n"), ...blocks, terminal.paint("dim", legend(fitted, terminal))].join(
    "\n\n",
  );
}

function renderDevice(fitted: FittedModel, terminal: Terminal, alone: boolean): string {
  const { device, rows, leftOut } = fitted;
  const usableGb = device.usableGb * device.count;
  const many = device.count > 1 ? `${device.count} x ` : "";
  const title = `${many}${cleanText(device.name)}: ${formatGb(usableGb)} usable, ${Math.round(device.bandwidthGbS)} GB/s`;
  const lines = [terminal.paint("bold", title)];
  if (rows.length > 0) lines.push(table(rows, usableGb, terminal));
  if (leftOut.length > 0) {
    const names = [...new Set(leftOut.map(({ quantization }) => quantization))].join(", ");
    lines.push(wrapText(`Left out, as it does not run on such hardware: ${names}`, terminal.width, "  "));
  }
  const told = rows.find(({ recommended }) => recommended) ?? rows.at(-1);
  if (told !== undefined) lines.push(...basis(told, terminal, alone));
  return lines.join("\n");
}

/** Under a single device all that the estimate rests on; under several the lines that differ are too many to read. */
function basis({ estimate, recommended }: FittedVariant, terminal: Terminal, alone: boolean): string[] {
  const why = recommended
    ? []
    : [wrapText("Nothing here fits, not even with a part in system memory.", terminal.width, "  ")];
  if (!alone) return why;
  const lines = (estimate.basis ?? []).map((text) => wrapText(text, terminal.width, "  - "));
  return [...why, "", `Basis of ${cleanText(estimate.quantization)}:`, ...lines];
}

/** Cells of the bar: as many as a terminal has room for beside the figures, which take about 60 columns. */
const FIGURES_WIDTH = 68;
const MOST_CELLS = 24;
const LEAST_CELLS = 8;

function table(rows: readonly FittedVariant[], usableGb: number, terminal: Terminal): string {
  const { width } = terminal;
  const plain = width === undefined;
  const cells = Math.max(LEAST_CELLS, Math.min(MOST_CELLS, (width ?? 0) - FIGURES_WIDTH));
  const memory: readonly Column[] = plain
    ? [
        { title: "Weights", align: "right" },
        { title: "Cache", align: "right" },
        { title: "Overhead", align: "right" },
        { title: "Memory", align: "right" },
      ]
    : [{ title: "Memory" }, { title: "", align: "right" }];
  const columns: readonly Column[] = [
    { title: "", style: "green" },
    { title: "Form", style: "bold", shrinks: true },
    { title: "Size", align: "right" },
    ...memory,
    { title: "Fit", style: fitStyle },
    ...(hasSpeed(rows) ? [{ title: "Tokens/s" }] : []),
    ...(hasFirst(rows) ? [{ title: "First", align: "right" as const }] : []),
  ];
  const text = renderTable(
    columns,
    rows.map((row) => {
      const { estimate, variant, computed, recommended } = row;
      const { weightsGb, kvCacheGb, overheadGb, memoryGb } = estimate;
      const speed = estimate.tokensPerSecond;
      return [
        recommended ? "*" : "",
        `${estimate.quantization}${computed ? " ~" : ""}`,
        variant.sizeGb === undefined ? "" : formatGb(variant.sizeGb),
        ...(plain
          ? [formatGb(weightsGb), kvCacheGb === 0 ? "0" : formatGb(kvCacheGb), formatGb(overheadGb), formatGb(memoryGb)]
          : [memoryBar(estimate, usableGb, cells), formatGb(memoryGb)]),
        estimate.fit,
        ...(hasSpeed(rows)
          ? [speed === undefined ? "" : [speed.low, speed.likely, speed.high].map(figure).join("–")]
          : []),
        ...(estimate.timeToFirstTokenMs === undefined ? [] : [duration(estimate.timeToFirstTokenMs)]),
      ];
    }),
    terminal,
  );
  return plain ? text : paintBars(text, terminal);
}

const barStyles: Readonly<Record<string, Style>> = { "█": "cyan", "▓": "yellow", "▒": "dim", "░": "dim", "▶": "red" };

/** Colours beside the shades, which alone tell the parts apart. */
function paintBars(text: string, terminal: Terminal): string {
  return text.replace(/█+|▓+|▒+|░+|▶/g, (run) => terminal.paint(barStyles[run.charAt(0)] ?? "dim", run));
}

function legend(fitted: readonly FittedModel[], terminal: Terminal): string {
  const rows = fitted.flatMap(({ rows: all }) => all);
  const parts = [
    ...(terminal.width === undefined
      ? []
      : ["█ weights, ▓ cache of keys and values, ▒ overhead, ░ free, ▶ more than there is"]),
    ...(rows.some(({ recommended }) => recommended) ? ["* the form to choose"] : []),
    ...(rows.some(({ computed }) => computed) ? ["~ computed: no published form of it is known"] : []),
    ...(hasSpeed(rows) ? ["tokens/s: low–likely–high for one user"] : []),
    ...(hasFirst(rows) ? ["first: time to the first token"] : []),
  ];
  return wrapText(parts.join("; "), terminal.width);
}

function hasSpeed(rows: readonly FittedVariant[]): boolean {
  return rows.some(({ estimate }) => estimate.tokensPerSecond !== undefined);
}

function hasFirst(rows: readonly FittedVariant[]): boolean {
  return rows.some(({ estimate }) => estimate.timeToFirstTokenMs !== undefined);
}

function note(label: string, text: string, terminal: Terminal): string {
  return wrapText(text, terminal.width, `  ${label}`);
}

function figure(speed: number): string {
  return speed >= 10 ? String(Math.round(speed)) : String(Number(speed.toPrecision(2)));
}

function duration(ms: number): string {
  if (ms < 1000) return `${Number(ms.toPrecision(2))} ms`;
  const seconds = ms / 1000;
  if (seconds < 100) return `${Number(seconds.toPrecision(2))} s`;
  return `${Math.round(seconds / 60)} min`;
}
