import type { Style, Terminal } from "./terminal.ts";

const CELLS = 10;

/** A score of 0 to 1 as a bar with its figure; in a pipe the figure alone. */
export function renderScore(score: number, terminal: Terminal): string {
  const figure = score.toFixed(2);
  if (terminal.width === undefined) return `score ${figure}`;
  const full = Math.round(Math.min(1, Math.max(0, score)) * CELLS);
  const style: Style = score >= 0.7 ? "green" : score >= 0.45 ? "yellow" : "red";
  return `${terminal.paint(style, "█".repeat(full))}${terminal.paint("dim", "░".repeat(CELLS - full))} ${figure}`;
}
