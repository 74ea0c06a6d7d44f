/** Formats a share as a percentage with one decimal; empty if the whole is 0. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? "" : `${((100 * part) / whole).toFixed(1)} %`;
}
