import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { type Evaluation, evidences, strongestEvaluations } from "./evaluation.ts";
import { boardOf } from "./registry.ts";

/** The figures that come with the program: made by `scripts/build-evaluations.ts`, with their sources in `NOTICE.md`. */
export const bundledFile: URL = new URL("./bundled/evaluations.jsonl.gz", import.meta.url);

/** A board in the first line of the file. */
export interface BundledBoard {
  id: string;
  of: number;
  as_of: string;
}

/** A figure of a model: place in the first line's list of boards, value, place on the board, and what differs from it. */
export type BundledFigure = [
  board: number,
  value: number,
  place: number | null,
  own?: Partial<Pick<Evaluation, "as_of" | "evidence" | "url">>,
];

const head = z.object({ boards: z.array(z.object({ id: z.string(), of: z.number(), as_of: z.string() })) });
const line = z.tuple([
  z.string(),
  z.array(
    z.union([
      z.tuple([z.number(), z.number(), z.number().nullable()]),
      z.tuple([
        z.number(),
        z.number(),
        z.number().nullable(),
        z.object({
          as_of: z.string().optional(),
          evidence: z.enum(evidences).optional(),
          url: z.string().optional(),
        }),
      ]),
    ]),
  ),
]);

/** Writes the file's lines: the boards first, then a model a line, by key. */
export function bundledLines(
  boards: readonly BundledBoard[],
  models: ReadonlyMap<string, readonly BundledFigure[]>,
): string {
  const sorted = [...models].sort(([a], [b]) => (a < b ? -1 : 1));
  return [{ boards }, ...sorted].map((each) => `${JSON.stringify(each)}\n`).join("");
}

/** The figures of the bundled file, which is read when they are first asked for. */
class BundledEvaluations {
  readonly #boards: readonly BundledBoard[];
  /** The lines by key: parsed one by one, because few are needed at a time. */
  readonly #lines: ReadonlyMap<string, string>;

  constructor(text: string) {
    const [first = "", ...lines] = text.split("\n").filter((each) => each !== "");
    this.#boards = head.parse(JSON.parse(first)).boards;
    this.#lines = new Map(lines.map((each) => [each.slice(2, each.indexOf('"', 2)), each]));
  }

  of(key: string): Evaluation[] {
    const found = this.#lines.get(key);
    if (found === undefined) {
      return [];
    }
    const [, figures] = line.parse(JSON.parse(found));
    const evaluations = figures.flatMap(([index, value, place, own]) => {
      const board = this.#boards[index];
      if (board === undefined || boardOf(board.id) === undefined) {
        return [];
      }
      return {
        board: board.id,
        value,
        ...(place !== null && { place, of: board.of }),
        as_of: board.as_of,
        evidence: "measured" as const,
        ...own,
      };
    });
    return strongestEvaluations(evaluations);
  }

  keys(): string[] {
    return [...this.#lines.keys()];
  }
}

let bundled: BundledEvaluations | undefined;

function read(): BundledEvaluations {
  bundled ??= new BundledEvaluations(gunzipSync(readFileSync(bundledFile)).toString("utf8"));
  return bundled;
}

/** The bundled figures of a model, by its key (`owner/model` in lower case); none for one that no board has. */
export function bundledEvaluations(key: string): Evaluation[] {
  return read().of(key);
}

/** The keys of all models with bundled figures. */
export function bundledKeys(): string[] {
  return read().keys();
}
