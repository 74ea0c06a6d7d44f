/** A share as a percentage with one decimal; empty where there is nothing to share. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? "" : `${((100 * part) / whole).toFixed(1)} %`;
}
