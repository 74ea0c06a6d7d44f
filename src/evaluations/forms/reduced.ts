/** The files that were reduced from many before they came here: one form each, checked whole. */
import { z } from "zod";
import { mtebTasks } from "../boards/embedding-models.ts";
import { BoardFormError, type BoardLine, type PlacedBoard, type PlaceOptions, placeModels } from "./place-models.ts";

const day = z.iso.datetime({ offset: true }).transform((time) => time.slice(0, 10));

const mtebModel = z.object({ name: z.string(), scores: z.record(z.string(), z.number()) });

/** Reads MTEB's main scores, one model a line: a board for each group of tasks. @throws BoardFormError */
export function readMteb(text: string, options: PlaceOptions): PlacedBoard[] {
  const models = text
    .split("\n")
    .filter((line) => line !== "")
    // Python writes what JSON does not have.
    .map((line) => parsed(mtebModel, jsonOf(line.replace(/: -?(?:Infinity|NaN)(?=[,}])/g, ": null"))));
  return Object.entries(mtebTasks).map(([board, tasks]) => {
    const lines = models.flatMap(({ name, scores }): BoardLine[] => {
      const values = tasks.map((task) => scores[task]).filter((value) => value !== undefined);
      if (values.length < tasks.length) {
        return [];
      }
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return [{ system: name, model: name, value: Math.round(mean * 10_000) / 100 }];
    });
    return placeModels(board, lines, options);
  });
}

const forecaster = z.object({
  model: z.string(),
  hugging_face: z.string().nullable(),
  mase_geometric_mean: z.number(),
});

/** Reads GIFT-Eval's forecasters. @throws BoardFormError */
export function readGiftEval(text: string, options: PlaceOptions): PlacedBoard {
  const lines = parsed(z.array(forecaster), jsonOf(text)).map(
    ({ model: system, hugging_face: model, mase_geometric_mean: value }) => ({
      system,
      value,
      ...(model !== null && { model }),
    }),
  );
  return placeModels("gift-eval", lines, options);
}

const detector = z.object({ model: z.string(), map50_95: z.number(), date: day });

/** Reads Roboflow's detectors; shares become percentages. @throws BoardFormError */
export function readRoboflow(text: string, options: PlaceOptions): PlacedBoard {
  const lines = parsed(z.array(detector), jsonOf(text)).map(({ model: system, map50_95: share, date }) => ({
    system,
    value: Math.round(share * 10_000) / 100,
    as_of: date,
  }));
  return placeModels("roboflow-detection", lines, options);
}

/** The boards of models.dev, as it spells them. Others have no board here. */
const modelsDevBoards: ReadonlyMap<string, string> = new Map([
  ["aider polyglot", "aider-polyglot"],
  ["swe-bench verified", "swe-bench-verified"],
  ["swe-bench pro", "swe-bench-pro"],
  ["swe-bench multilingual", "swe-bench-multilingual"],
  ["terminal-bench 2.1", "terminal-bench-2.1"],
  ["swe-atlas codebase qna", "swe-atlas-qna"],
  ["swe-atlas refactoring", "swe-atlas-refactoring"],
  ["swe-atlas test writing", "swe-atlas-tests"],
]);

/** Those who publish measurements of others' models; all other addresses are of the makers. */
const independent: ReadonlySet<string> = new Set(["aider.chat", "labs.scale.com", "www.swebench.com"]);

const score = z.object({
  id: z.string(),
  hugging_face: z.string().nullable(),
  name: z.string(),
  score: z.number(),
  source: z.url({ protocol: /^https?$/ }),
  date: z.iso.date().nullable(),
});

/**
 * Reads the scores that models.dev collects, with the address of each. They are some of a board's models and not all, so
 * there are no places. What a maker publishes of its own model is a claim.
 *
 * @throws BoardFormError
 */
export function readModelsDev(text: string, options: PlaceOptions): PlacedBoard[] {
  const byBoard = new Map<string, BoardLine[]>([...modelsDevBoards.values()].map((board) => [board, []]));
  for (const { id, hugging_face: model, name, score: value, source, date } of parsed(z.array(score), jsonOf(text))) {
    const board = modelsDevBoards.get(name.toLowerCase());
    if (board === undefined) {
      continue;
    }
    byBoard.get(board)?.push({
      system: id,
      value,
      url: source,
      evidence: independent.has(new URL(source).hostname) ? "measured" : "claimed",
      ...(model !== null && { model }),
      ...(date !== null && { as_of: date }),
    });
  }
  return [...byBoard].map(([board, lines]) =>
    placeModels(board, lines, { ...options, aliasesOf: "models.dev", isWhole: false }),
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BoardFormError(`is not valid JSON: ${(error as Error).message}`);
  }
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (!result.success) {
    const { path, message } = result.error.issues[0] as z.core.$ZodIssue;
    throw new BoardFormError(`does not have the expected form, at ${path.join(".") || "the top level"}: ${message}`);
  }
  return result.data;
}
