import { useRef } from "preact/hooks";
import { count } from "../words/formats.ts";
import { labelLines, useWidth } from "./measure.ts";
import { squarify } from "./squarify.ts";

const GAP = 2;
const PADDING = 8;

/** One tile of a treemap. */
export interface TreemapItem {
  readonly label: string;
  readonly value: number;
  /** The value in words, for screen readers and the tooltip: "118 models". */
  readonly meaning: string;
  readonly href: string;
  /** CSS class of the tile's colour. */
  readonly tone: string;
}

/** Areas in proportion to values, each a link. Arrow keys move between them, so the chart is one tab stop. */
export function Treemap({ items, title }: { readonly items: readonly TreemapItem[]; readonly title: string }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const links = useRef<((Element & HTMLOrSVGElement) | null)[]>([]);
  const height = Math.round(Math.min(520, Math.max(340, width * 0.52)));
  const move = (event: KeyboardEvent, i: number) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) {
      return;
    }
    event.preventDefault();
    links.current[(i + step + items.length) % items.length]?.focus();
  };
  return (
    <div class="treemap" ref={ref}>
      {width > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be in a drawing.
        <svg width={width} height={height} role="group" aria-label={title}>
          {squarify(items, ({ value }) => value, width + GAP, height + GAP).map(({ item, ...tile }, i) => {
            const room = { width: tile.width - GAP - 2 * PADDING, height: tile.height - GAP - PADDING };
            const lines = labelLines(item.label, room.width, Math.floor(room.height / TILE_LINE));
            const hasValue = lines.length > 0 && room.height >= (lines.length + 1) * TILE_LINE;
            return (
              <a
                key={item.label}
                ref={(element) => {
                  links.current[i] = element;
                }}
                href={item.href}
                tabIndex={i === 0 ? 0 : -1}
                onKeyDown={(event) => move(event, i)}
              >
                <title>{`${item.label}, ${item.meaning}`}</title>
                <rect
                  class={`tile ${item.tone}`}
                  x={tile.x}
                  y={tile.y}
                  width={tile.width - GAP}
                  height={tile.height - GAP}
                  rx={3}
                />
                <TileText
                  x={tile.x + PADDING}
                  y={tile.y + 19}
                  lines={lines}
                  value={hasValue ? { text: count(item.value), y: tile.y + 20 + lines.length * TILE_LINE } : undefined}
                />
              </a>
            );
          })}
        </svg>
      )}
    </div>
  );
}

/** Line height of the text on tiles, in pixels. */
const TILE_LINE = 17;

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
