import { cleanText } from "./clean-text.ts";
import { displayWidth } from "./display-width.ts";

/** Narrower than this nothing can be read, so lines run over instead. */
const LEAST_TEXT = 20;
const NO_BREAK_SPACE = "\u00a0";

/**
 * Text in lines of at most `width` columns, the first one behind `first`, the others behind `rest`.
 *
 * @param width undefined leaves the text on one line.
 */
export function wrapText(
  text: string,
  width: number | undefined,
  first = "",
  rest = " ".repeat(displayWidth(first)),
): string {
  const roomBehind = (mark: string) =>
    width === undefined ? Number.POSITIVE_INFINITY : Math.max(LEAST_TEXT, width - displayWidth(mark));
  const lines: string[] = [];
  let line = "";
  for (const word of cleanText(text).split(" ")) {
    const room = roomBehind(lines.length === 0 ? first : rest);
    if (line !== "" && displayWidth(line) + 1 + displayWidth(word) > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines.map((content, i) => (i === 0 ? first : rest) + content.replaceAll(NO_BREAK_SPACE, " ")).join("\n");
}

/** Text that wrapText keeps on one line. */
export function unbroken(text: string): string {
  return text.replaceAll(" ", NO_BREAK_SPACE);
}
