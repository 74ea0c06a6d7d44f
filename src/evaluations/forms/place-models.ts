import { knownAs } from "../aliases/aliases.ts";
import { type Evaluation, type Evidence, evidences } from "../evaluation.ts";
import { boardOf } from "../registry.ts";

const rankOf = (evidence: Evidence = "measured") => evidences.indexOf(evidence);

/** A line of a board: one way of running one system. */
export interface BoardLine {
  /** The system as the board names it, without the way of running it. Lines of one system compete: the strongest evidence, then the best value. */
  system: string;
  /** The hub's id of the model, if the board gives one. Without it only an alias can say which model it is. */
  model?: string;
  /** The ids of all models that share the figure, in place of `model`. */
  models?: readonly string[];
  value: number;
  as_of?: string;
  evidence?: Evidence;
  url?: string;
}

/** The figures of a board for the models that have an id on the hub, by the id as the board spells it. */
export interface PlacedBoard {
  board: string;
  /** Number of systems, those without an id included. */
  of: number;
  figures: Map<string, Omit<Evaluation, "board">>;
}

/** How a board's lines become figures. */
export interface PlaceOptions {
  /** Whose aliases hold. Default: the board's collection. */
  aliasesOf?: string;
  /** Default day of the figures: YYYY-MM-DD. */
  asOf: string;
  /** Ids of models that other boards have, for a board that names parts of ids. */
  known?: readonly string[];
  /** Whether the lines are all that the board has. Otherwise no places are given. Default: yes. */
  isWhole?: boolean;
}

/**
 * Gives each system its place among all systems of the board: 1 plus the number of better ones. A model is joined by its
 * exact id, or by an alias that was checked by hand; other names are counted and not joined.
 *
 * @throws BoardFormError for values outside the board's range, and for ids that differ in letter case alone.
 */
export function placeModels(id: string, lines: readonly BoardLine[], options: PlaceOptions): PlacedBoard {
  const board = boardOf(id);
  if (board === undefined) {
    throw new BoardFormError(`is read as ${id}, which is not a known board`);
  }
  const { range, higherIsBetter, collection } = board;
  const isBetter = (a: number, b: number) => (higherIsBetter ? a > b : a < b);
  const best = new Map<string, BoardLine & { models: readonly string[] }>();
  for (const line of lines) {
    if (line.value < range[0] || line.value > range[1]) {
      throw new BoardFormError(
        `has ${line.value} for ${line.system}, which is outside ${range[0]} to ${range[1]} (${id}: ${board.metric})`,
      );
    }
    const given = line.models ?? (line.model === undefined ? [] : [line.model]);
    const models = knownAs(options.aliasesOf ?? collection, line.system) ?? given;
    const key = (models[0] ?? line.system).toLowerCase();
    const before = best.get(key);
    const other = before?.models.find((model, i) => models[i] !== undefined && models[i] !== model);
    if (other !== undefined) {
      throw new BoardFormError(`has ${other} and ${models[0]}, which differ in letter case alone`);
    }
    const byEvidence = before === undefined ? -1 : rankOf(line.evidence) - rankOf(before.evidence);
    if (before === undefined || byEvidence < 0 || (byEvidence === 0 && isBetter(line.value, before.value))) {
      best.set(key, { ...line, models });
    }
  }
  const systems = [...best.values()].sort((a, b) => (isBetter(a.value, b.value) ? -1 : a.value === b.value ? 0 : 1));
  const figures: PlacedBoard["figures"] = new Map();
  let place = 0;
  for (const [index, { value, models, as_of: asOf = options.asOf, evidence = "measured", url }] of systems.entries()) {
    if (index === 0 || value !== systems[index - 1]?.value) {
      place = index + 1;
    }
    for (const model of models) {
      figures.set(model, {
        value,
        ...(options.isWhole !== false && { place, of: systems.length }),
        as_of: asOf,
        evidence,
        ...(url !== undefined && { url }),
      });
    }
  }
  return { board: id, of: systems.length, figures };
}

/** A file of a board that is not in the form that is expected. The message follows the name of the file or board. */
export class BoardFormError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BoardFormError";
  }
}
