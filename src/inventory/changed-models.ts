import type { ChangePage } from "./changes.ts";
import type { Inventory } from "./inventory.ts";
import { type MergedModel, mergeTold } from "./merge-told.ts";
import { modelAfter } from "./past-facts.ts";
import { readRows } from "./stored-rows.ts";
import { takingTurns } from "./turns.ts";

/** A model that was added or changed, for those who judge it anew. */
export interface ChangedModel extends MergedModel {
  key: string;
  /** The text encoded. */
  vector: Float32Array;
  /**
   * What it was when the changes before these were told; undefined for a model that was not there. One of the first
   * filling was always there, as it was first. Only the last few changes are known: of a model that changed more often
   * since then, this is the oldest state that is.
   */
  before?: MergedModel;
  /** What it was after the write of a number; undefined where it was not there. As far back as `before` is known. */
  asOf(change: number): MergedModel | undefined;
}

/** The models that a page of changes adds or changes, as they are now; without those that left meanwhile. */
export async function changedModels(inventory: Inventory, { changes, since }: ChangePage): Promise<ChangedModel[]> {
  const keys = changes.filter(({ kind }) => kind !== "removed").map(({ key }) => key);
  const rows = await readRows((await inventory.database.serving()).table, keys);
  const models: ChangedModel[] = [];
  const giveTurn = takingTurns();
  for (const key of keys) {
    const row = rows.get(key);
    if (row === undefined) continue;
    const now = mergeTold(row.told);
    const asOf = (change: number) =>
      row.initial || row.addedChange <= change ? modelAfter(change, now, row.past) : undefined;
    const before = asOf(since);
    models.push({ key, ...now, vector: row.vector, ...(before !== undefined && { before }), asOf });
    await giveTurn();
  }
  return models;
}
