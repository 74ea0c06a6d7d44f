import type { Kysely } from "kysely";
import type { Model } from "../inventory/index.ts";
import { type Database, newId } from "../store/index.ts";
import { insertMatches, type MatchesTable, readInterests, takeNumbers } from "../store/tables/index.ts";
import { recordEvents } from "../webhooks/index.ts";
import type { FoundMatch } from "./judge-model.ts";
import { writeCursor } from "./match.ts";

/** How matches are recorded. */
export interface RecordOptions {
  /** Summarises a model as the API shows it. */
  summaryOf: (model: Model) => object;
  /** Milliseconds since 1970. */
  now: number;
}

/** A model that is new matches dozens of interests, so it is summarised once. */
const summaries = new WeakMap<Model, { summary: object; json: string }>();

function summarised(model: Model, summaryOf: RecordOptions["summaryOf"]): { summary: object; json: string } {
  let known = summaries.get(model);
  if (known === undefined) {
    const summary = summaryOf(model);
    known = { summary, json: JSON.stringify(summary) };
    summaries.set(model, known);
  }
  return known;
}

/**
 * Records matches, and their events for webhooks. It leaves out matches that are already recorded, and those of
 * interests that were deleted or edited since they were read.
 *
 * @param transaction all is written in it, or nothing.
 * @returns how many are new.
 */
export async function recordMatches(
  transaction: Kysely<Database>,
  found: readonly FoundMatch[],
  { summaryOf, now }: RecordOptions,
): Promise<number> {
  if (found.length === 0) {
    return 0;
  }
  const counts = Map.groupBy(found, ({ interest }) => interest.ownerId);
  // From here on, edits and deletions of these owners' interests wait for the transaction.
  const last = await takeNumbers(
    transaction,
    [...counts].map(([ownerId, { length: count }]) => ({ ownerId, count })),
  );
  const interests = await readInterests(transaction, [...new Set(found.map(({ interest }) => interest.id))]);
  const revisions = new Map(interests.map(({ id, revision }) => [id, revision]));
  const rows: Array<{ row: MatchesTable; match: FoundMatch; summary: object }> = [];
  for (const [ownerId, matches] of counts) {
    const first = (last.get(ownerId) as number) - matches.length + 1;
    for (const [i, match] of matches.entries()) {
      const { interest, model, cause, score, reasons, tradeoffs } = match;
      if (revisions.get(interest.id) !== interest.revision) {
        continue;
      }
      const { summary, json } = summarised(model, summaryOf);
      const row: MatchesTable = {
        id: newId("mat", now),
        owner_id: ownerId,
        number: first + i,
        interest_id: interest.id,
        model_key: model.key,
        cause,
        score,
        model: json,
        reasons: JSON.stringify(reasons),
        tradeoffs: JSON.stringify(tradeoffs),
        matched_at: now,
      };
      rows.push({ row, match, summary });
    }
  }
  const isNew = await insertMatches(
    transaction,
    rows.map(({ row }) => row),
  );
  const names = new Map(interests.map(({ id, name }) => [id, name]));
  const events = rows
    .filter(({ row }) => isNew.has(row.id))
    .map(({ row, match, summary }) => ({
      ownerId: row.owner_id,
      type: "model.matched" as const,
      interestId: row.interest_id,
      at: now,
      data: {
        id: row.id,
        interest: { id: row.interest_id, name: names.get(row.interest_id) },
        cursor: writeCursor(row.owner_id, row.number),
        model: summary,
        score: row.score,
        reasons: match.reasons,
        tradeoffs: match.tradeoffs,
        cause: row.cause,
      },
    }));
  await recordEvents(transaction, events);
  return isNew.size;
}
