import { createHash } from "node:crypto";

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
  if (cursor === BEGINNING) return 0;
  const [, number, mark] = /^([1-9]\d{0,14})-([0-9a-f]+)$/.exec(cursor) ?? [];
  return number !== undefined && mark === markOf(ownerId) ? Number(number) : undefined;
}

function markOf(ownerId: string): string {
  return createHash("sha256").update(ownerId).digest("hex").slice(0, MARK_CHARS);
}
