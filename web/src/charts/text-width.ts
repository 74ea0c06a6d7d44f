/** About how wide a text of the charts' 12-pixel monospace type is, in pixels. */
export function textWidth(text: string): number {
  return text.length * 7.3;
}
