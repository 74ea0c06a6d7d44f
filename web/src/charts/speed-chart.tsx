import type { TokensPerSecond } from "../../../packages/client/src/index.ts";
import { speed, speedRange } from "../words/formats.ts";
import { textWidth, useWidth } from "./measure.ts";

const ROW = 34;
const TOP = 20;
const NARROW = 520;
/** Adults read about 240 words a minute (Brysbaert, 2019), and an English word has about 1.3 tokens. */
const READING_TOKENS_PER_SECOND = 5.2;

/** A row of the chart. */
export interface SpeedRow {
  readonly label: string;
  readonly speed: TokensPerSecond;
}

/** Expected speeds as ranges on a logarithmic scale, with low, likely and high value. */
export function SpeedChart({ rows, title }: { readonly rows: readonly SpeedRow[]; readonly title: string }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const isNarrow = width < NARROW;
  const row = isNarrow ? 46 : ROW;
  const height = TOP + rows.length * row + 24;
  const left = isNarrow ? 0 : Math.max(...rows.map(({ label }) => textWidth(label)), 40) + 14;
  const right = 100;
  const from = Math.min(0, ...rows.map((r) => Math.floor(Math.log10(r.speed.low))));
  const to = Math.max(2, ...rows.map((r) => Math.log10(r.speed.high)));
  const x = (value: number) => left + ((Math.log10(value) - from) / (to - from)) * (width - left - right);
  const decades = Array.from({ length: Math.floor(to) - from + 1 }, (_, i) => 10 ** (from + i));
  const label = `${title}: ${rows.map((r) => `${r.label} ${speedRange(r.speed)}`).join("; ")}.`;
  return (
    <div class="chart" ref={ref}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={label}>
          {decades.map((value) => (
            <g key={value}>
              <line class="chart-grid" x1={x(value)} x2={x(value)} y1={TOP - 4} y2={height - 20} />
              <text
                class="chart-tick"
                x={x(value)}
                y={height - 6}
                text-anchor={value === decades[0] ? "start" : "middle"}
              >
                {value}
              </text>
            </g>
          ))}
          <g class="limit">
            <line x1={x(READING_TOKENS_PER_SECOND)} x2={x(READING_TOKENS_PER_SECOND)} y1={6} y2={height - 20} />
            <text x={x(READING_TOKENS_PER_SECOND) + 5} y={13}>
              reading speed
            </text>
          </g>
          {rows.map(({ label, speed: { low, likely, high } }, i) => {
            const y = TOP + i * row + (isNarrow ? 30 : 17);
            return (
              <g key={label} class="speed-row">
                <text
                  class="chart-label"
                  x={isNarrow ? 0 : left - 10}
                  y={isNarrow ? y - 13 : y + 4}
                  text-anchor={isNarrow ? "start" : "end"}
                >
                  {label}
                </text>
                <rect
                  class="speed-range"
                  x={x(low)}
                  y={y - 5}
                  width={Math.max(2, x(high) - x(low))}
                  height={10}
                  rx={5}
                />
                <circle class="speed-likely" cx={x(likely)} cy={y} r={4.5} />
                <text class="chart-value" x={x(high) + 8} y={y + 4}>
                  {speed(low)}–{speed(high)}
                </text>
              </g>
            );
          })}
        </svg>
      )}
      <p class="chart-unit" aria-hidden="true">
        tokens per second: the dot is the most likely value, the bar the expected range
      </p>
    </div>
  );
}
