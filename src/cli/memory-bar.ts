/** The parts of an estimate's memory, in GB. */
interface MemoryParts {
  weightsGb: number;
  kvCacheGb: number;
  overheadGb: number;
  memoryGb: number;
}

/**
 * Memory against what a device has, as a bar: █ weights, ▓ cache, ▒ overhead, ░ free. What passes the device's memory
 * is cut and ends with ▶. Each part that is there has at least a cell where the bar has room for it.
 *
 * @param cells Width of the bar in columns, at least 4.
 */
export function memoryBar(parts: MemoryParts, usableGb: number, cells: number): string {
  const over = parts.memoryGb > usableGb;
  const room = over ? cells - 1 : cells;
  const scaleGb = over ? parts.memoryGb : usableGb;
  const used = over ? room : Math.min(room, Math.max(1, Math.round((parts.memoryGb / scaleGb) * room)));
  const sizes = [parts.weightsGb, parts.kvCacheGb, parts.overheadGb];
  const drawn = sizes.map((gb) => (gb > 0 ? Math.max(1, Math.round((gb / parts.memoryGb) * used)) : 0));
  // Rounding is made up for by the largest part.
  const largest = sizes.indexOf(Math.max(...sizes));
  const others = drawn.reduce((sum, count, at) => (at === largest ? sum : sum + count), 0);
  drawn[largest] = Math.max(1, used - others);
  const bar = ["█", "▓", "▒"]
    .map((glyph, at) => glyph.repeat(drawn[at] ?? 0))
    .join("")
    .slice(0, room);
  return bar + (over ? "▶" : "░".repeat(Math.max(0, cells - bar.length)));
}
