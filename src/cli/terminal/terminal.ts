import type { WriteStream } from "node:tty";
import { styleText } from "node:util";
import { wrapLongLines } from "./text.ts";

/** The styles of node:util that we use. */
export type Style = "bold" | "dim" | "green" | "yellow" | "red" | "cyan";

/** The output of a command. */
export interface Terminal {
  /** Columns of the terminal; undefined in a pipe or file, where nothing is cut or wrapped. */
  width: number | undefined;
  /** Writes one or more lines to standard output, long ones broken between words on a terminal. */
  print(text: string): void;
  /** Writes one or more lines to standard error. */
  note(text: string): void;
  /** Styles text for standard output, if styles are on. */
  paint(style: Style, text: string): string;
  /** Styles text for standard error, if styles are on. */
  paintNote(style: Style, text: string): string;
  /** Standard error, if it is a terminal that can redraw a line; undefined if progress is printed as plain lines. */
  progressStream: WriteStream | undefined;
}

interface Streams {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: Readonly<Record<string, string | undefined>>;
}

const DEFAULT_WIDTH = 80;

/**
 * The terminal of a process. If the reader of a pipe leaves (`| head`), the rest of the output is dropped without an
 * error.
 */
export function createTerminal({ stdout, stderr, env }: Streams): Terminal {
  for (const stream of [stdout, stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") {
        throw error;
      }
    });
  }
  const widthOf = (stream: NodeJS.WriteStream) => (stream.isTTY ? stream.columns || DEFAULT_WIDTH : undefined);
  return {
    width: widthOf(stdout),
    print: (text) => void stdout.write(`${wrapLongLines(text, widthOf(stdout))}\n`),
    note: (text) => void stderr.write(`${wrapLongLines(text, widthOf(stderr))}\n`),
    // styleText looks at the stream, NO_COLOR, FORCE_COLOR and TERM.
    paint: (style, text) => styleText(style, text, { stream: stdout }),
    paintNote: (style, text) => styleText(style, text, { stream: stderr }),
    progressStream: stderr.isTTY && env.TERM !== "dumb" ? stderr : undefined,
  };
}
