/** Height of a line of tiles' text, in pixels. */
export const TILE_LINE = 17;

interface TileTextProps {
  readonly x: number;
  /** Of the first line's foot. */
  readonly y: number;
  readonly lines: readonly string[];
  readonly value?: { readonly text: string; readonly y: number } | undefined;
}

/** What stands on a tile. Screen readers read the title of the tile's link instead: what is drawn may be cut off. */
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
