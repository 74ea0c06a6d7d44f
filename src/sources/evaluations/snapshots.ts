import { hash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Evaluation, evaluationsSchema, type PlacedBoard } from "../../evaluations/index.ts";

/** The last good state of a reading. */
export interface Snapshot {
  /** When it was read, in milliseconds since 1970. */
  readAt: number;
  /** Hash of the figures, which shows whether any of them changed. */
  digest: string;
  /** The day when these figures were first read: YYYY-MM-DD. */
  since: string;
  /** The figures by the model's id. */
  models: ReadonlyMap<string, readonly Evaluation[]>;
}

const fileSchema = z.object({
  readAt: z.number(),
  digest: z.string(),
  since: z.iso.date(),
  models: z.record(z.string(), evaluationsSchema),
});

/** The day of a figure of a model that is known already; undefined if it is new or differs. */
export type DayKnown = (model: string, figure: Evaluation) => string | undefined;

/**
 * Stores the last good state of each board. So a board that cannot be read keeps its figures, and a sync can resume.
 */
export class Snapshots {
  readonly #folder: string;

  /** @param folder created when something is first stored. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The last good state of a reading; undefined if there is none, or if it cannot be read. */
  read(name: string): Snapshot | undefined {
    try {
      const { models, ...rest } = fileSchema.parse(JSON.parse(readFileSync(this.#fileOf(name), "utf8")));
      return { ...rest, models: new Map(Object.entries(models)) };
    } catch {
      // Without it the board is read again, which is always right.
      return undefined;
    }
  }

  /**
   * Stores what was read. Figures that did not change keep the day on which they were first known.
   *
   * @param today the day that the figures have where their board names none.
   * @param dayKnown the day of a figure that was known before any reading.
   */
  save(
    name: string,
    boards: readonly PlacedBoard[],
    { readAt, today, dayKnown }: { readAt: number; today: string; dayKnown?: DayKnown },
  ): Snapshot {
    const before = this.read(name);
    const models = modelsOf(boards);
    // The hash leaves out the day of this reading, because the board did not state it.
    const digest = hash(
      "sha256",
      JSON.stringify([...models], (key, value) => (value === today && key === "as_of" ? 0 : value)),
    );
    const since = before?.digest === digest ? before.since : today;
    const dated = new Map(
      [...models].map(([model, figures]) => [
        model,
        figures.map((figure) =>
          figure.as_of === today ? { ...figure, as_of: dayKnown?.(model, figure) ?? since } : figure,
        ),
      ]),
    );
    mkdirSync(this.#folder, { recursive: true });
    const file = this.#fileOf(name);
    // The file is written completely or not at all, however the process ends.
    writeFileSync(`${file}.new`, JSON.stringify({ readAt, digest, since, models: Object.fromEntries(dated) }));
    renameSync(`${file}.new`, file);
    return { readAt, digest, since, models: dated };
  }

  #fileOf(name: string): string {
    return join(this.#folder, `${name.replace(/[^A-Za-z0-9_.-]+/g, "__")}.json`);
  }
}

function modelsOf(boards: readonly PlacedBoard[]): Map<string, Evaluation[]> {
  const models = new Map<string, Evaluation[]>();
  for (const { board, figures } of boards) {
    for (const [model, figure] of figures) {
      models.set(model, [...(models.get(model) ?? []), { board, ...figure }]);
    }
  }
  return models;
}
