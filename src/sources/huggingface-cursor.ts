import { z } from "zod";

/** Where a listing of the Hub goes on. */
export type HubCursor = z.infer<typeof cursorSchema>;

const cursorSchema = z.object({
  /** The page's address. */
  next: z.url(),
  /** Models listed before it. */
  listed: z.number().int().nonnegative(),
  /** Whether something before it was not listed. */
  lacks: z.boolean(),
  /** When it was made, in milliseconds since 1970. */
  at: z.number(),
});

/** A cursor that is older starts in the middle of a list that has moved on. */
const CURSOR_AGE_MS = 24 * 3_600_000;

/** The hub no longer takes a cursor. */
export class CursorRefused extends Error {}

/** An earlier listing's position; undefined for one of another hub, one that is too old and what is none. */
export function readHubCursor(text: string | undefined, hubUrl: string): HubCursor | undefined {
  if (text === undefined) return undefined;
  try {
    const cursor = cursorSchema.parse(JSON.parse(text));
    const isUsable = new URL(cursor.next).origin === new URL(hubUrl).origin && Date.now() - cursor.at < CURSOR_AGE_MS;
    return isUsable ? cursor : undefined;
  } catch {
    // Whatever wrote it, a listing from the start is right.
    return undefined;
  }
}
