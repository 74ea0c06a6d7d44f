import type { HardwareEstimate } from "../../../packages/client/src/index.ts";
import { gigabytes } from "../words/formats.ts";
import { hardwareClasses } from "../words/hardware.ts";
import { textWidth, useWidth } from "./measure.ts";

const BAR = 16;
const LEVEL = 17;
const RIGHT = 70;
/** Below this width, labels are above their bars. */
const NARROW = 520;
/** The axis always reaches beyond the largest class. */
const LEAST_DOMAIN_GB = 25;

interface MemoryChartProps {
  /** What is drawn, for screen readers: "Memory of X by quantization". */
  readonly title: string;
  readonly rows: readonly MemoryRow[];
  /** The class that the estimates' fit is for; its limit is highlighted. Undefined for other hardware. */
  readonly hardware: string | undefined;
}

/** A row of the chart. */
export interface MemoryRow {
  /** Another for each row. */
  readonly label: string;
  readonly estimate: HardwareEstimate;
}

/** Memory as bars of weights, cache and overhead beside the usable memory of the hardware classes. */
export function MemoryChart({ title, rows, hardware }: MemoryChartProps) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const isNarrow = width < NARROW;
  const row = isNarrow ? 44 : 30;
  const top = hardwareClasses.length * LEVEL + 6;
  const height = top + rows.length * row + 24;
  const left = isNarrow ? 0 : Math.max(...rows.map(({ label }) => textWidth(label)), 40) + 14;
  const most = Math.max(...rows.map(({ estimate }) => estimate.memoryGb), 0);
  const domain = Math.max(LEAST_DOMAIN_GB, most * 1.04);
  const x = (gb: number) => left + (gb / domain) * (width - left - RIGHT);
  return (
    <div class="chart" ref={ref}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={summary(title, rows)}>
          {ticks(domain).map((gb) => (
            <g key={gb}>
              <line class="chart-grid" x1={x(gb)} x2={x(gb)} y1={top} y2={height - 20} />
              <text class="chart-tick" x={x(gb)} y={height - 6} text-anchor={gb === 0 ? "start" : "middle"}>
                {gb === 0 ? "0" : `${gb} GB`}
              </text>
            </g>
          ))}
          {rows.map(({ label, estimate }, i) => {
            const y = top + i * row + (isNarrow ? 21 : 8);
            const kv = estimate.weightsGb + estimate.kvCacheGb;
            return (
              <g key={label} class={estimate.fit === "too-large" ? "memory-row is-too-large" : "memory-row"}>
                <text
                  class="chart-label"
                  x={isNarrow ? 0 : left - 10}
                  y={isNarrow ? y - 6 : y + 12}
                  text-anchor={isNarrow ? "start" : "end"}
                >
                  {label}
                </text>
                <g class="memory-bar">
                  <rect class="weights" x={x(0)} y={y} width={x(estimate.weightsGb) - x(0)} height={BAR} />
                  <rect
                    class="cache"
                    x={x(estimate.weightsGb)}
                    y={y}
                    width={x(kv) - x(estimate.weightsGb)}
                    height={BAR}
                  />
                  <rect class="overhead" x={x(kv)} y={y} width={x(estimate.memoryGb) - x(kv)} height={BAR} />
                </g>
                <text class="chart-value" x={x(estimate.memoryGb) + 7} y={y + 12}>
                  {gigabytes(estimate.memoryGb)}
                </text>
              </g>
            );
          })}
          {hardwareClasses.map(({ id, short, usableGb }, level) => {
            const label = `${short} ${usableGb}`;
            const isLast = x(usableGb) + textWidth(label) + 6 > width;
            return (
              <g key={id} class={id === hardware ? "limit is-chosen" : "limit"}>
                <line x1={x(usableGb)} x2={x(usableGb)} y1={level * LEVEL + 2} y2={height - 20} />
                <text x={x(usableGb) + (isLast ? -5 : 5)} y={level * LEVEL + 13} text-anchor={isLast ? "end" : "start"}>
                  {label}
                </text>
              </g>
            );
          })}
        </svg>
      )}
      <ul class="legend" aria-hidden="true">
        <li class="weights">weights</li>
        <li class="cache">context cache</li>
        <li class="overhead">overhead</li>
        <li class="limit-key">usable memory of each class, in GB</li>
      </ul>
    </div>
  );
}

function ticks(domain: number): number[] {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => domain / size <= 6) ?? 1_000;
  return Array.from({ length: Math.floor(domain / step) + 1 }, (_, i) => i * step);
}

function summary(title: string, rows: readonly MemoryRow[]): string {
  const all = rows.map(({ label, estimate }) => `${label} ${gigabytes(estimate.memoryGb)}`);
  const limits = hardwareClasses.map(({ label, usableGb }) => `${label} ${usableGb} GB`);
  return `${title}: ${all.join(", ")}. Usable memory: ${limits.join(", ")}.`;
}
