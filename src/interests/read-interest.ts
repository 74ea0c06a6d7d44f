import type { InterestsTable } from "../store/tables/interests.ts";
import type { Interest } from "./interest.ts";

/** An interest as its row tells it. */
export function readInterest(row: InterestsTable): Interest {
  return {
    id: row.id,
    ownerId: row.owner_id,
    name: row.name,
    need: JSON.parse(row.need),
    minScore: row.min_score,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
