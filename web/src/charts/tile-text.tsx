/** Line height of the text on tiles, in pixels. */
export const TILE_LINE = 17;

interface TileTextProps {
  readonly x: number;
  /** Baseline of the first line. */
  readonly y: number;
  readonly lines: readonly string[];
  readonly value?: { readonly text: string; readonly y: number } | undefined;
}

/** The text on a tile. It may be cut off, so screen readers read the title of the tile's link instead. */
export function TileText({ x, y, lines, value }: TileTextProps) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group of a drawing takes no focus.
    <g aria-hidden="true">
      {lines.map((line, i) => (
        <text key={line} class="tile-label" x={x} y={y + i * TILE_LINE}>
          {line}
        </text>
      ))}
      {value !== undefined && (
        <text class="tile-value" x={x} y={value.y}>
          {value.text}
        </text>
      )}
    </g>
  );
}
