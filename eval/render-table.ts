/** Renders rows as a table for a terminal: the first column aligned to the left, the others to the right. */
export function renderTextTable(header: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => (row[column] ?? "").length)));
  return [header, ...rows]
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] as number) : cell.padStart(widths[column] as number),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
