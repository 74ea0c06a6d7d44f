import { createRequire } from "node:module";
import type { MultiBar, SingleBar } from "cli-progress";
import { formatDuration } from "./format.ts";
import type { Terminal } from "./terminal.ts";
import { wrapText } from "./text.ts";

/** Loads the library of bars when the first one is drawn: a service without a terminal draws none. */
const require = createRequire(import.meta.url);

/** What a progress bar shows. */
export interface ProgressOptions {
  title: string;
  /** The final value of `done`; undefined if it is unknown. */
  total: number | undefined;
  /** Milliseconds between two lines if standard error is not a terminal. Default 5,000. */
  lineEveryMs?: number;
}

const DEFAULT_LINE_EVERY_MS = 5_000;
/** The most and the fewest cells of the bar. With less room there is no bar. */
const MOST_CELLS = 24;
const LEAST_CELLS = 6;
/** Columns for the percentage and a status such as "2,495 of 3,029 models, 12 s left". */
const STATUS_WIDTH = 44;
/** For a terminal that reports no width. */
const DEFAULT_WIDTH = 80;
/** Before this the speed is a guess, so no remaining time is shown. */
const LEAST_MS_FOR_ESTIMATE = 500;

/** Progress on standard error: a bar in a terminal, a plain line every few seconds elsewhere. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #options: ProgressOptions;
  readonly #began = performance.now();
  readonly #bars: MultiBar | undefined;
  readonly #bar: SingleBar | undefined;
  #lastLine = performance.now();
  #stopped = false;

  constructor(terminal: Terminal, options: ProgressOptions) {
    this.#terminal = terminal;
    this.#options = options;
    if (terminal.progressStream === undefined) {
      return;
    }
    const { title, total } = options;
    // A line that is longer than the terminal would lose its end.
    const columns = terminal.progressStream.columns || DEFAULT_WIDTH;
    const cells = Math.min(MOST_CELLS, columns - title.length - STATUS_WIDTH);
    const share = total === undefined ? "" : cells < LEAST_CELLS ? " {percentage} %" : " {bar} {percentage} %";
    const isTitleApart = columns - title.length < STATUS_WIDTH;
    if (isTitleApart) {
      terminal.note(title);
    }
    const bars: typeof import("cli-progress") = require("cli-progress");
    this.#bars = new bars.MultiBar({
      stream: terminal.progressStream,
      format: `${isTitleApart ? "" : title}${share}  {status}`,
      barCompleteChar: "█",
      barIncompleteChar: "░",
      barsize: Math.max(LEAST_CELLS, cells),
      clearOnComplete: true,
      emptyOnZero: true,
      gracefulExit: false,
    });
    this.#bar = this.#bars.create(total ?? 1, 0, { status: "" });
  }

  /** Shows that `done` of the total is done, with `status`, such as a count. */
  update(done: number, status: string): void {
    const text = [status, this.#timeLeft(done)].filter(Boolean).join(", ");
    this.#bar?.update(done, { status: text });
    if (
      this.#bar === undefined &&
      performance.now() - this.#lastLine >= (this.#options.lineEveryMs ?? DEFAULT_LINE_EVERY_MS)
    ) {
      this.#lastLine = performance.now();
      const { title, total } = this.#options;
      const share = total === undefined ? "" : `${Math.floor((100 * done) / Math.max(1, total))} %, `;
      this.#terminal.note(`${title}: ${share}${text}`);
    }
  }

  /** Writes a line of plain text above the bar. */
  note(text: string): void {
    // The bar switches the terminal's line wrapping off.
    if (this.#bars === undefined) {
      this.#terminal.note(text);
    } else {
      this.#bars.log(`${wrapText(text, this.#terminal.progressStream?.columns || DEFAULT_WIDTH)}\n`);
    }
  }

  /** Removes the bar. */
  stop(): void {
    if (this.#stopped) {
      return;
    }
    this.#stopped = true;
    // Without this, notes since the last redraw would be lost.
    this.#bars?.update();
    this.#bars?.stop();
  }

  #timeLeft(done: number): string {
    const { total } = this.#options;
    const elapsed = performance.now() - this.#began;
    if (total === undefined || done <= 0 || done >= total || elapsed < LEAST_MS_FOR_ESTIMATE) {
      return "";
    }
    return `${formatDuration((elapsed * (total - done)) / done)} left`;
  }
}

/** Slow steps of opening an inventory. */
const works = {
  starter: {
    title: "First use: indexing the starter catalogue",
    done: "Indexed the starter catalogue",
  },
  rebuild: {
    title: "Made by another version: rebuilding the inventory",
    done: "Rebuilt the inventory",
  },
} as const;

/** Progress of opening an inventory. It shows only the slow steps. */
export function openingProgress(terminal: Terminal): {
  onStarter: (done: number, total: number) => void;
  onRebuild: (done: number, total: number) => void;
  stop: () => void;
} {
  let shown: { end: () => void; update: (done: number) => void; work: keyof typeof works } | undefined;
  const show = (work: keyof typeof works) => (done: number, total: number) => {
    if (shown?.work !== work) {
      shown?.end();
      shown = { work, ...showWork(terminal, work, total) };
    }
    shown.update(done);
  };
  return { onStarter: show("starter"), onRebuild: show("rebuild"), stop: () => shown?.end() };
}

function showWork(terminal: Terminal, work: keyof typeof works, total: number) {
  const { title, done: doneText } = works[work];
  const began = performance.now();
  if (terminal.progressStream === undefined) {
    terminal.note(`${title} of ${total} models`);
  }
  const progress = new Progress(terminal, { title, total });
  let models = 0;
  let ended = false;
  return {
    update(done: number) {
      models = done;
      progress.update(done, `${done} of ${total} models`);
    },
    end() {
      if (ended) {
        return;
      }
      ended = true;
      progress.stop();
      terminal.note(`${doneText}: ${models} models in ${formatDuration(performance.now() - began)}`);
    },
  };
}
