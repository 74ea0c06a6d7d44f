import type { Style, Terminal } from "./terminal.ts";
import { cleanText, cutToWidth, displayWidth, unbroken, wrapText } from "./text.ts";

/** A column of a table. */
export interface Column {
  title: string;
  /** Default: left. */
  align?: "left" | "right";
  /** Whether its cells may be cut in a narrow terminal. Default: no. */
  shrinks?: boolean;
  style?: Style | ((cell: string) => Style | undefined);
}

const GAP = "  ";
/** Columns are not cut below this width; on a narrower terminal each row becomes a paragraph. */
const LEAST_COLUMN = 12;

/** Renders rows as an aligned table. Cells may come from others. A terminal's width limits it; a pipe gets all text. */
export function renderTable(
  columns: readonly Column[],
  rows: ReadonlyArray<readonly string[]>,
  terminal: Terminal,
): string {
  const cells = rows.map((row) => columns.map((_, i) => cleanText(row[i] ?? "")));
  const widths = columnWidths(columns, cells, terminal.width);
  if (terminal.width !== undefined && lineWidth(widths) > terminal.width) {
    return renderParagraphs(columns, cells, terminal);
  }
  const line = (row: readonly string[], styleOf: (i: number, cell: string) => Style | undefined) =>
    row
      .map((cell, i) => {
        const width = widths[i] ?? 0;
        const cut = cutToWidth(cell, width);
        const style = styleOf(i, cell);
        const painted = style === undefined || cut === "" ? cut : terminal.paint(style, cut);
        const space = " ".repeat(Math.max(0, width - displayWidth(cut)));
        return columns[i]?.align === "right" ? space + painted : painted + space;
      })
      .join(GAP)
      .trimEnd();
  const titles = columns.map(({ title }) => title.toUpperCase());
  const header = line(titles, () => "dim");
  const body = cells.map((row) =>
    line(row, (i, cell) => {
      const style = columns[i]?.style;
      return typeof style === "function" ? style(cell) : style;
    }),
  );
  return [header, ...body].join("\n");
}

function columnWidths(
  columns: readonly Column[],
  cells: ReadonlyArray<readonly string[]>,
  limit: number | undefined,
): number[] {
  const widths = columns.map(({ title }, i) =>
    Math.max(displayWidth(title), ...cells.map((row) => displayWidth(row[i] ?? ""))),
  );
  if (limit === undefined) {
    return widths;
  }
  let over = lineWidth(widths) - limit;
  while (over > 0) {
    // Takes one column from the widest each time, so that the columns that may shrink end about equal.
    const widest = columns.reduce(
      (best, { shrinks }, i) => (shrinks && (widths[i] ?? 0) > (widths[best] ?? 0) ? i : best),
      -1,
    );
    if (widest < 0 || (widths[widest] ?? 0) <= LEAST_COLUMN) {
      return widths;
    }
    widths[widest] = (widths[widest] ?? 0) - 1;
    over--;
  }
  return widths;
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP.length * Math.max(0, widths.length - 1);
}

/** For a terminal that is too narrow for a table: the first named column of each row as a head, the others below it. */
function renderParagraphs(
  columns: readonly Column[],
  cells: ReadonlyArray<readonly string[]>,
  terminal: Terminal,
): string {
  const first = Math.max(
    0,
    columns.findIndex(({ title }) => title !== ""),
  );
  return cells
    .map((row) => {
      const head = row.slice(0, first + 1).filter((cell) => cell !== "");
      const facts: string[] = [];
      for (const [i, { title }] of columns.entries()) {
        const cell = row[i] ?? "";
        if (i <= first || cell === "") {
          continue;
        }
        // A column without a title belongs to the one before it.
        if (title === "" && facts.length > 0) {
          facts.push(`${facts.pop()} ${cell}`);
        } else {
          facts.push(`${title.toLowerCase()} ${cell}`);
        }
      }
      const below = facts.map((fact) => unbroken(fact)).join(", ");
      return [
        terminal.paint("bold", head.join(" ")),
        ...(below === "" ? [] : [wrapText(below, terminal.width, "  ")]),
      ].join("\n");
    })
    .join("\n");
}
