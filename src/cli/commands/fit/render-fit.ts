import { toJson } from "@bufbuild/protobuf";
import { HardwareEstimateSchema } from "../../../../gen/modelscout/v1/model_pb.ts";
import {
  type FittedModel,
  type FittedVariant,
  speedText,
  type TimeRange,
  throughputText,
} from "../../../hardware/index.ts";
import { formatGb } from "../../../recommend/index.ts";
import { estimateMessage } from "../../../rpc/index.ts";
import { fitStyle } from "../../terminal/format.ts";
import { type Column, renderTable } from "../../terminal/table.ts";
import type { Style, Terminal } from "../../terminal/terminal.ts";
import { cleanText, wrapText } from "../../terminal/text.ts";
import type { DetectedHardware } from "./this-machine.ts";

/** The result of `fit`. */
export interface FitAnswer {
  modelName: string;
  /** One for each device. */
  fitted: readonly FittedModel[];
  /** The hardware of this machine, with --detect. */
  detected: DetectedHardware | undefined;
}

/** As JSON: estimates with REST's field names, and the form that each belongs to. */
export function fitJson({ modelName, fitted, detected }: FitAnswer): string {
  const hardware = fitted.flatMap(({ device, rows }) =>
    rows.map(({ variant, estimate, computed, recommended }) => ({
      ...(toJson(HardwareEstimateSchema, estimateMessage(device.name, estimate), {
        alwaysEmitImplicit: true,
        useProtoFieldName: true,
      }) as object),
      usable_memory_gb: device.usableGb * device.count,
      format: variant.format,
      size_gb: variant.sizeGb,
      repository: variant.repository,
      computed,
      recommended,
    })),
  );
  const found = detected && { found: detected.found, assumed: detected.assumed };
  return JSON.stringify({ model_name: modelName, detected: found, hardware }, null, 2);
}

/** The parts of an estimate's memory, in GB. */
interface MemoryParts {
  weightsGb: number;
  kvCacheGb: number;
  overheadGb: number;
  memoryGb: number;
}

/**
 * A bar of the memory that a model needs on a device: █ weights, ▓ cache, ▒ overhead, ░ free. A bar that exceeds the
 * device's memory is cut and ends with ▶. Every part gets at least one cell if there is room.
 *
 * @param cells width of the bar in columns, at least 4.
 */
export function memoryBar(parts: MemoryParts, usableGb: number, cells: number): string {
  const over = parts.memoryGb > usableGb;
  const room = over ? cells - 1 : cells;
  const scaleGb = over ? parts.memoryGb : usableGb;
  const used = over ? room : Math.min(room, Math.max(1, Math.round((parts.memoryGb / scaleGb) * room)));
  const sizes = [parts.weightsGb, parts.kvCacheGb, parts.overheadGb];
  const drawn = sizes.map((gb) => (gb > 0 ? Math.max(1, Math.round((gb / parts.memoryGb) * used)) : 0));
  // The largest part absorbs the rounding.
  const largest = sizes.indexOf(Math.max(...sizes));
  const others = drawn.reduce((sum, count, at) => (at === largest ? sum : sum + count), 0);
  drawn[largest] = Math.max(1, used - others);
  const bar = ["█", "▓", "▒"]
    .map((glyph, at) => glyph.repeat(drawn[at] ?? 0))
    .join("")
    .slice(0, room);
  return bar + (over ? "▶" : "░".repeat(Math.max(0, cells - bar.length)));
}

/** Renders how a model runs on each device. */
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
  if (rows.length > 0) {
    lines.push(table(rows, usableGb, terminal));
  }
  if (leftOut.length > 0) {
    const names = [...new Set(leftOut.map(({ quantization }) => quantization))].join(", ");
    lines.push(wrapText(`Left out because they do not run on this hardware: ${names}`, terminal.width, "  "));
  }
  const shown = rows.find(({ recommended }) => recommended) ?? rows.at(-1);
  if (shown !== undefined) {
    lines.push(...basis(shown, terminal, alone));
  }
  return lines.join("\n");
}

/** For a single device, everything that the estimate rests on; for several, too many lines would differ. */
function basis({ estimate, recommended }: FittedVariant, terminal: Terminal, alone: boolean): string[] {
  const why = recommended
    ? []
    : [wrapText("Nothing here fits, not even with a part in system memory.", terminal.width, "  ")];
  if (!alone) {
    return why;
  }
  const lines = (estimate.basis ?? []).map((text) => wrapText(text, terminal.width, "  - "));
  return [...why, "", `Basis of ${cleanText(estimate.quantization)}:`, ...lines];
}

/** Columns for the bar: the other columns take about 60. */
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
    ...(hasThroughput(rows) ? [{ title: "Speed" }] : []),
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
        variant.sizeGb === undefined || computed ? "" : formatGb(variant.sizeGb),
        ...(plain
          ? [formatGb(weightsGb), kvCacheGb === 0 ? "0" : formatGb(kvCacheGb), formatGb(overheadGb), formatGb(memoryGb)]
          : [memoryBar(estimate, usableGb, cells), formatGb(memoryGb)]),
        estimate.fit,
        ...(hasSpeed(rows)
          ? [speed === undefined ? "" : [speed.low, speed.likely, speed.high].map(speedText).join("–")]
          : []),
        ...(estimate.timeToFirstTokenMs === undefined ? [] : [timesText(estimate.timeToFirstTokenMs)]),
        ...(hasThroughput(rows) ? [estimate.throughput === undefined ? "" : throughputText(estimate.throughput)] : []),
      ];
    }),
    terminal,
  );
  return plain ? text : paintBars(text, terminal);
}

const barStyles: Readonly<Record<string, Style>> = { "█": "cyan", "▓": "yellow", "▒": "dim", "░": "dim", "▶": "red" };

/** Adds colours; the shades alone also distinguish the parts. */
function paintBars(text: string, terminal: Terminal): string {
  return text.replace(/█+|▓+|▒+|░+|▶/g, (run) => terminal.paint(barStyles[run.charAt(0)] ?? "dim", run));
}

function legend(fitted: readonly FittedModel[], terminal: Terminal): string {
  const rows = fitted.flatMap(({ rows: all }) => all);
  const parts = [
    ...(terminal.width === undefined
      ? []
      : ["█ weights, ▓ cache of keys and values, ▒ overhead, ░ free, ▶ exceeds the memory"]),
    ...(rows.some(({ recommended }) => recommended) ? ["* the recommended form"] : []),
    ...(rows.some(({ computed }) => computed)
      ? ["~ no repository is known to publish this form: convert the model yourself"]
      : []),
    ...(hasSpeed(rows) ? ["tokens/s: low–likely–high for one user"] : []),
    ...(hasFirst(rows) ? ["first: low–likely–high for the time to the first token"] : []),
  ];
  return wrapText(parts.join("; "), terminal.width);
}

function hasSpeed(rows: readonly FittedVariant[]): boolean {
  return rows.some(({ estimate }) => estimate.tokensPerSecond !== undefined);
}

function hasThroughput(rows: readonly FittedVariant[]): boolean {
  return rows.some(({ estimate }) => estimate.throughput !== undefined);
}

function hasFirst(rows: readonly FittedVariant[]): boolean {
  return rows.some(({ estimate }) => estimate.timeToFirstTokenMs !== undefined);
}

function note(label: string, text: string, terminal: Terminal): string {
  return wrapText(text, terminal.width, `  ${label}`);
}

/** A range of times in the unit of the longest: "320–480–720 ms", "0.42–0.69–1.1 s", "1.2–1.8–2.7 min". */
function timesText({ low, likely, high }: TimeRange): string {
  const [unit, ms] = high < 1000 ? ["ms", 1] : high < 100_000 ? ["s", 1000] : ["min", 60_000];
  const figures = [low, likely, high].map((time) => Number((time / ms).toPrecision(2)));
  return `${figures.join("–")} ${unit}`;
}
