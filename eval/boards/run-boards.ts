import { boardOf, bundledKeys } from "../../src/evaluations/index.ts";
import type { IndexedModel, Inventory } from "../../src/inventory/index.ts";
import { type Need, profileOf, scoreModel, understand } from "../../src/recommend/index.ts";
import { STARTER_GATHERED_AT } from "../../src/sources/starter.ts";
import { boardNeeds } from "./needs-boards.ts";
import { rankCorrelation } from "./rank-correlation.ts";

/** How the order of a board's models in the answer agrees with the board: rank correlations, −1 to 1. */
export interface BoardReport {
  board: string;
  need: string;
  /** Models of the inventory that the board has. */
  models: number;
  /** For the need, if quality decides and if nothing in particular does. */
  quality: number;
  balanced: number;
  /** The same if no figure of the board's leaderboard is known: what is measured then was not copied from it. */
  qualityLeftOut: number;
  balancedLeftOut: number;
}

/** Fewer models say nothing about an order. */
const LEAST_MODELS = 8;

/** Compares the order of scores with the figures of each board that has enough models in the inventory. */
export async function runBoards(inventory: Inventory): Promise<BoardReport[]> {
  const models = await inventory.load(bundledKeys());
  const reports: BoardReport[] = [];
  for (const [board, need] of Object.entries(boardNeeds)) {
    const onBoard = models.flatMap((indexed) => {
      const found = indexed.model.evaluations?.find((evaluation) => evaluation.board === board);
      // Copies share the figure of their base.
      return found === undefined || found.evidence !== "measured" ? [] : [{ indexed, value: found.value }];
    });
    if (onBoard.length < LEAST_MODELS) {
      continue;
    }
    const facts = boardOf(board);
    if (facts === undefined) {
      throw new Error(`no board is called ${board}`);
    }
    const figures = onBoard.map(({ value }) => (facts.higherIsBetter ? value : -value));
    const known = onBoard.map(({ indexed }) => indexed);
    const blind = known.map((indexed) => withoutCollection(indexed, facts.collection));
    const correlation = async (models: readonly IndexedModel[], priority: Need["priority"]) =>
      rankCorrelation(await scoresOf(inventory, models, need, priority), figures);
    reports.push({
      board,
      need,
      models: onBoard.length,
      quality: await correlation(known, "quality"),
      balanced: await correlation(known, "balanced"),
      qualityLeftOut: await correlation(blind, "quality"),
      balancedLeftOut: await correlation(blind, "balanced"),
    });
  }
  return reports;
}

async function scoresOf(
  inventory: Inventory,
  models: readonly IndexedModel[],
  description: string,
  priority: Need["priority"],
): Promise<number[]> {
  const need: Need = { description, filter: {}, topK: 50, ignore: [], priority };
  const [vector] = await inventory.encoder.encode([description]);
  const profile = profileOf(need, understand(description), vector as Float32Array, STARTER_GATHERED_AT);
  return models.map((model) => scoreModel(model, profile).score);
}

/** The model without the figures of a leaderboard's boards, which measure alike. */
function withoutCollection({ model, vector }: IndexedModel, collection: string): IndexedModel {
  const evaluations = model.evaluations?.filter(({ board }) => boardOf(board)?.collection !== collection);
  return { vector, model: { ...model, evaluations: evaluations?.length ? evaluations : undefined } };
}
