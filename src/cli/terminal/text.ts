import stringWidth from "string-width";

// Controls, and the marks that turn the direction of writing: what comes from a source or a file could otherwise move
// the cursor, colour the screen or make one name look like another.
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Foreign text for a terminal: without control characters, on one line. No-break spaces stay. */
export function cleanText(text: string): string {
  return text
    .replace(/[^\S\u00a0]+/gu, " ")
    .replace(unsafe, "")
    .trim();
}

const segmenter = new Intl.Segmenter();

/** How many columns text without control characters takes on a terminal. */
export function displayWidth(text: string): number {
  return stringWidth(text);
}

/** Text cut to a number of columns, with an ellipsis where something is cut. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) {
    return text;
  }
  let kept = "";
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += displayWidth(segment);
    if (width > columns - 1) {
      break;
    }
    kept += segment;
  }
  return `${kept}…`;
}

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
