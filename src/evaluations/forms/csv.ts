import { BoardFormError } from "./place-models.ts";

/** Longest file that is read, in rows: boards have some thousand. */
const MOST_ROWS = 100_000;

/**
 * The rows of a CSV file as RFC 4180 describes it, by the names in its first line.
 *
 * @param required columns that it must have.
 * @throws BoardFormError for a file without one of these columns or without rows, and for rows of another length.
 */
export function readCsv<Column extends string>(
  text: string,
  required: readonly Column[],
): Array<Record<Column, string> & Partial<Record<string, string>>> {
  const [header, ...lines] = cellsOf(text);
  const missing = required.filter((column) => !header?.includes(column));
  if (header === undefined || missing.length > 0) {
    throw new BoardFormError(
      `has no column ${missing.map((column) => JSON.stringify(column)).join(", ")}; its columns are ${JSON.stringify(header ?? []).slice(0, 300)}`,
    );
  }
  if (lines.length === 0) {
    throw new BoardFormError("has no rows");
  }
  return lines.map((cells, index) => {
    if (cells.length !== header.length) {
      throw new BoardFormError(`has ${cells.length} cells in row ${index + 1}, and ${header.length} in its first line`);
    }
    return Object.fromEntries(header.map((column, i) => [column, cells[i]])) as Record<Column, string>;
  });
}

/** One cell and the comma or line end after it. The cell is plain, or in quotes with the quotes in it doubled. */
const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

function cellsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  cell.lastIndex = 0;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const found = cell.exec(text);
    if (found === null) {
      throw new BoardFormError(`is not valid CSV at character ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
    }
    const [, quoted, plain = "", end] = found;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ",") {
      // A line without anything is no row.
      if (row.length > 1 || row[0] !== "") {
        rows.push(row);
      }
      row = [];
    } else if (cell.lastIndex === text.length) {
      row.push("");
    }
    if (rows.length > MOST_ROWS) {
      throw new BoardFormError(`has more than ${MOST_ROWS} rows`);
    }
  }
  if (row.length > 0) {
    rows.push(row);
  }
  return rows;
}

/** The number of a cell; undefined for an empty one. @throws BoardFormError for a cell with anything else. */
export function numberOf(cell: string | undefined, where: string): number | undefined {
  const trimmed = (cell ?? "").trim();
  const text = (trimmed.endsWith("%") ? trimmed.slice(0, -1) : trimmed).replaceAll(",", "").trim();
  if (text === "" || text === "N/A" || text === "-") {
    return undefined;
  }
  const value = Number(text);
  if (!Number.isFinite(value)) {
    throw new BoardFormError(`has ${JSON.stringify((cell ?? "").slice(0, 40))} where ${where} must be a number`);
  }
  return value;
}
