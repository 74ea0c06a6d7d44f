import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
/** Characters that take one column each. */
const ascii = /^[\x20-\x7e]*$/;
let stringWidth: typeof import("string-width").default | undefined;

// Control characters and marks of the writing direction: in texts from others they could move the cursor, colour the
// screen or disguise one name as another.
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Text from others, made safe for a terminal: one line without control characters. No-break spaces stay. */
export function cleanText(text: string): string {
  return text
    .replace(/[^\S\u00a0]+/gu, " ")
    .replace(unsafe, "")
    .trim();
}

const segmenter = new Intl.Segmenter();

/** How many columns text without control characters takes on a terminal. */
export function displayWidth(text: string): number {
  if (ascii.test(text)) {
    return text.length;
  }
  // Its tables of Unicode take a thirtieth of a start, and most texts need none of them.
  stringWidth ??= (require("string-width") as typeof import("string-width")).default;
  return stringWidth(text);
}

/** Cuts text to a number of columns, with an ellipsis if something is cut. */
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

/** Text is not wrapped into less than this: lines then run over. */
const LEAST_TEXT = 20;
const NO_BREAK_SPACE = "\u00a0";

/**
 * Wraps text into lines of at most `width` columns. `first` stands before the first line, `rest` before the others.
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

/**
 * Breaks lines that are longer than the terminal between words, where it would break inside them. Indented lines stay as
 * they are: they are commands to copy, JSON or parts that are wrapped already. Styles are kept.
 */
export function wrapLongLines(text: string, width: number | undefined): string {
  if (width === undefined) {
    return text;
  }
  const wrap = (line: string) => {
    const lines: string[] = [];
    for (const word of line.split(" ")) {
      const last = lines.at(-1);
      if (last === undefined || displayWidth(last) + 1 + displayWidth(word) > width) {
        lines.push(word);
      } else {
        lines[lines.length - 1] = `${last} ${word}`;
      }
    }
    return lines.join("\n");
  };
  return text
    .split("\n")
    .map((line) => (line.startsWith(" ") || displayWidth(line) <= width ? line : wrap(line)))
    .join("\n");
}
