import { createHash } from "node:crypto";
import type { NamedMatch } from "../store/tables/index.ts";

/** A model that satisfied an interest. */
export interface Match {
  id: string;
  /** Its position among the owner's matches, counted from 1. */
  number: number;
  ownerId: string;
  interestId: string;
  interestName: string;
  /** The model as it was, as a summary of the API. */
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

/** Reads a match from its row. */
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

/** Hexadecimal characters: enough that a cursor of another owner is not accepted by chance. */
const MARK_CHARS = 8;

/** The cursor before the first match. */
const BEGINNING = "0";

/** A cursor behind the match of a number. It is valid for this owner only. */
export function writeCursor(ownerId: string, number: number): string {
  return number === 0 ? BEGINNING : `${number}-${markOf(ownerId)}`;
}

/** Reads the number in an owner's cursor; undefined for any other text. */
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
