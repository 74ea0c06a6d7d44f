/**
 * Breaks a label into lines that fit; the last is cut if there is no more room.
 *
 * @param width of the lines in pixels.
 * @param most number of lines.
 * @returns no lines if the room is too small for any text.
 */
export function labelLines(label: string, width: number, most: number): string[] {
  const chars = Math.floor(width / textWidth("m"));
  if (chars < 3 || most < 1) {
    return [];
  }
  const lines: string[] = [];
  for (const word of label.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= chars) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  const shown = lines.slice(0, most);
  if (shown.length < lines.length) {
    shown[most - 1] = `${shown[most - 1]} …`;
  }
  return shown.map((line) => (line.length <= chars ? line : `${line.slice(0, chars - 1).trimEnd()}…`));
}

/** Approximate width in pixels of a text in the charts' 12-pixel monospace font. */
export function textWidth(text: string): number {
  return text.length * 7.3;
}
