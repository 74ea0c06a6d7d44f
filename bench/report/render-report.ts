import type { Measure, Report } from "./report.ts";

/** Renders a report as a table with its notes, for a terminal of 100 columns. */
export function renderReport({ measures, notes }: Report): string {
  const header = ["", "median", "p95", "p99", "unit", "samples", "goal", ""];
  const rows = measures.map((measure) => [
    measure.name,
    figure(measure.median),
    figure(measure.p95),
    figure(measure.p99),
    measure.unit,
    String(measure.samples),
    goalText(measure),
    verdict(measure),
  ]);
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => (row[column] as string).length)));
  const lines = [header, ...rows].map((row) =>
    row
      .map((cell, column) =>
        isFigure(column) ? cell.padStart(widths[column] as number) : cell.padEnd(widths[column] as number),
      )
      .join("  ")
      .trimEnd(),
  );
  return [...lines, ...notes.map((note) => `  - ${note}`)].join("\n");
}

function isFigure(column: number): boolean {
  return [1, 2, 3, 5].includes(column);
}

function goalText({ goal }: Measure): string {
  if (goal === undefined) {
    return "";
  }
  return "most" in goal ? `<= ${figure(goal.most)}` : `>= ${figure(goal.least)}`;
}

function verdict({ goal, median }: Measure): string {
  if (goal === undefined) {
    return "";
  }
  return ("most" in goal ? median <= goal.most : median >= goal.least) ? "met" : "MISSED";
}

/** Formats a figure with three significant digits, larger ones as whole numbers. */
function figure(value: number | undefined): string {
  if (value === undefined) {
    return "";
  }
  if (Math.abs(value) >= 100) {
    return Math.round(value).toLocaleString("en");
  }
  return String(Number(value.toPrecision(3)));
}
