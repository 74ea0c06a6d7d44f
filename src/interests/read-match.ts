import type { NamedMatch } from "../store/tables/matches.ts";
import type { Match } from "./match.ts";

/** A match as its row tells it. */
export function readMatch(row: NamedMatch): Match {
  return {
    id: row.id,
    number: row.number,
    ownerId: row.owner_id,
    interestId: row.interest_id,
    interestName: row.interest_name,
    summary: JSON.parse(row.model),
    score: row.score,
    reasons: JSON.parse(row.reasons),
    tradeoffs: JSON.parse(row.tradeoffs),
    cause: row.cause,
    matchedAt: row.matched_at,
  };
}
