import { createHash } from "node:crypto";
import type { NamedMatch } from "../store/tables/index.ts";

/** A model that satisfied an interest. */
export interface Match {
  id: string;
  /** Its place in the order of the owner's matches. */
  number: number;
  ownerId: string;
  interestId: string;
  interestName: string;
  /** The model in short as it was, as the API tells it. */
  summary: Readonly<Record<string, unknown>>;
  /** 0 to 1. */
  score: number;
  reasons: string[];
  tradeoffs: string[];
  /** `added` or `changed`. */
  cause: string;
  /** Milliseconds since 1970. */
  matchedAt: number;
}

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

/** Bits enough that another owner's cursor is not taken for one's own by chance. */
const MARK_CHARS = 8;

/** Before the first match. */
const BEGINNING = "0";

/** A place in an owner's matches, behind the one of that number. Of another owner it is of no use. */
export function writeCursor(ownerId: string, number: number): string {
  return number === 0 ? BEGINNING : `${number}-${markOf(ownerId)}`;
}

/** The number that a cursor of an owner tells; undefined for what is none. */
export function readCursor(ownerId: string, cursor: string): number | undefined {
  if (cursor === BEGINNING) {
    return 0;
  }
  const [, number, mark] = /^([1-9]\d{0,14})-([0-9a-f]+)$/.exec(cursor) ?? [];
  return number !== undefined && mark === markOf(ownerId) ? Number(number) : undefined;
}

function markOf(ownerId: string): string {
  return createHash("sha256").update(ownerId).digest("hex").slice(0, MARK_CHARS);
}
