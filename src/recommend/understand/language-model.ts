import { askLanguageModel, type LanguageModelEndpoint, LanguageModelFailure } from "./language-model-call.ts";
import { checkReading, type ModelReading, readingMessages, readingSchema } from "./language-model-reading.ts";
import { type Understanding, understandWith } from "./understand.ts";

/** Reads a description. @throws the reason of `signal` if that aborts; nothing else. */
export type ReadNeed = (description: string, signal?: AbortSignal) => Promise<Understanding>;

/**
 * How a reading by a language model ended. With `answered` and `cached` it is used. In all other cases the built-in
 * reading is used. `unsure`: the model was unsure. `invalid`: the answer broke a rule. `timeout` and `error`: there was
 * no answer. `busy`: too many readings were in progress. `paused`: the last readings failed.
 */
export const readingOutcomes = [
  "answered",
  "cached",
  "unsure",
  "invalid",
  "timeout",
  "error",
  "busy",
  "paused",
] as const;

export type ReadingOutcome = (typeof readingOutcomes)[number];

/** Options of createNeedReader(). */
export interface NeedReaderOptions extends LanguageModelEndpoint {
  /** Needs that the language model reads at a time, at least 1. */
  concurrency: number;
  /** Gets the end of each reading and the seconds that it took. */
  onDone?: (outcome: ReadingOutcome, seconds: number) => void;
  /** Gets a sentence when readings by the model pause after failures, and when they resume. It names no need. */
  onProblem?: (sentence: string) => void;
  /** The time in milliseconds. Default: the system's clock that never goes back. */
  now?: () => number;
}

/** After this many failures in a row, the language model is not asked for a while. */
const MOST_FAILURES = 5;
/** For how long, in milliseconds; longer if the endpoint asks for it, up to the second figure. */
const PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 300_000;
/** Readings that are kept: some 5 kB each. */
const MOST_CACHED = 500;

/**
 * Creates a reader of needs that asks a language model, and takes the built-in reading where that fails, is slow or
 * unsure. The same description gets the same reading as long as it is kept.
 */
export function createNeedReader(options: NeedReaderOptions): ReadNeed {
  const { concurrency, onDone = () => {}, now = () => performance.now() } = options;
  /** The readings used last, at the end. `unsure` is kept too: the model would say it again. */
  const cache = new Map<string, ModelReading | "unsure">();
  const pause = new Pause(options.onProblem ?? (() => {}), now);
  let underWay = 0;

  async function ask(description: string, signal: AbortSignal | undefined): Promise<ModelReading | ReadingOutcome> {
    underWay += 1;
    try {
      const question = { messages: readingMessages(description), schema: readingSchema() };
      const reading = checkReading(await askLanguageModel(options, question, signal), description);
      if (reading === "invalid") {
        pause.failed(new LanguageModelFailure("invalid", "its answer does not have the form that was asked for"));
        return reading;
      }
      pause.succeeded();
      cache.set(description, reading);
      if (cache.size > MOST_CACHED) {
        cache.delete(cache.keys().next().value as string);
      }
      return reading;
    } catch (error) {
      if (!(error instanceof LanguageModelFailure)) {
        pause.leftOpen();
        throw error;
      }
      pause.failed(error);
      return error.outcome;
    } finally {
      underWay -= 1;
    }
  }

  async function read(
    description: string,
    signal: AbortSignal | undefined,
  ): Promise<[ReadingOutcome, ModelReading | undefined]> {
    const kept = cache.get(description);
    if (kept !== undefined) {
      cache.delete(description);
      cache.set(description, kept);
      return kept === "unsure" ? ["unsure", undefined] : ["cached", kept];
    }
    if (underWay >= concurrency) {
      return ["busy", undefined];
    }
    if (!pause.lets()) {
      return ["paused", undefined];
    }
    const found = await ask(description, signal);
    return typeof found === "string" ? [found, undefined] : ["answered", found];
  }

  return async (description, signal) => {
    const began = now();
    const [outcome, reading] = await read(description, signal);
    onDone(outcome, (now() - began) / 1_000);
    return understandWith(description, reading);
  };
}

/** Stops asking the language model for a while after failures in a row. Then one call tries it, and decides. */
class Pause {
  readonly #report: (sentence: string) => void;
  readonly #now: () => number;
  #failures = 0;
  /** Until this time no call may ask; 0 if all calls may. */
  #until = 0;
  #isTrying = false;

  constructor(report: (sentence: string) => void, now: () => number) {
    this.#report = report;
    this.#now = now;
  }

  /** Whether a call may ask. It must then report how it ended. */
  lets(): boolean {
    if (this.#until === 0) {
      return true;
    }
    if (this.#isTrying || this.#now() < this.#until) {
      return false;
    }
    this.#isTrying = true;
    return true;
  }

  succeeded(): void {
    if (this.#until !== 0) {
      this.#report("The language model answers again");
    }
    this.#failures = 0;
    this.#until = 0;
    this.#isTrying = false;
  }

  failed({ message, retryAfterMs = 0 }: LanguageModelFailure): void {
    this.#failures += 1;
    const wasOpen = this.#until === 0;
    const ms = Math.min(LONGEST_PAUSE_MS, Math.max(this.#failures >= MOST_FAILURES ? PAUSE_MS : 0, retryAfterMs));
    if (ms > 0) {
      this.#until = this.#now() + ms;
      if (wasOpen) {
        this.#report(
          `The language model failed (${message}). For the next ${Math.ceil(ms / 1_000)} s it is not asked, and the built-in rules read the needs`,
        );
      }
    }
    this.#isTrying = false;
  }

  /** The caller hung up, so nothing is known about the language model. */
  leftOpen(): void {
    this.#isTrying = false;
  }
}
