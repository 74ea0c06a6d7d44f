import type { PlacedBoard } from "../../evaluations/index.ts";
import { SourceError } from "../source.ts";
import type { SourceHttp } from "../source-http.ts";

/** The input of a reading. */
export interface ReadingContext {
  http: SourceHttp;
  /** The present day, as YYYY-MM-DD: the day of figures if the board names none. */
  today: string;
  /** Ids of the models on the boards that were read before. */
  known: () => readonly string[];
}

/** One request, or a few that belong together, for one board or several. */
export interface Reading {
  /** Names it in messages, and its snapshot: letters, digits and `-_./`. */
  name: string;
  /** Readings of one host: where it cannot be reached, the others are not tried. */
  host: string;
  /** @throws SourceError when the board cannot be fetched, BoardFormError when its format is not the expected one. */
  read(context: ReadingContext): Promise<PlacedBoard[]>;
}

/** The maximum size of a leaderboard file, in bytes; the largest has a few hundred thousand. */
const MAX_FILE_BYTES = 16_000_000;

/** The text at an address. @throws SourceError */
export async function readText(http: SourceHttp, url: string): Promise<string> {
  const { status, value } = await http.request(url, {
    accept: "text/plain, text/csv, text/markdown, */*",
    maxBytes: MAX_FILE_BYTES,
    read: (bytes) => bytes.toString("utf8"),
  });
  if (value === undefined) {
    throw new SourceError(`${url} answers ${status}`, { status });
  }
  return value;
}

/** The JSON at an address, with the answer's headers. @throws SourceError */
export async function readJson(
  http: SourceHttp,
  url: string,
  maxBytes = MAX_FILE_BYTES,
): Promise<{ value: unknown; headers: Headers }> {
  const { status, value, headers } = await http.request(url, {
    accept: "application/json",
    maxBytes,
    read: (bytes): { json: unknown } => ({ json: JSON.parse(bytes.toString("utf8")) }),
  });
  if (value === undefined) {
    throw new SourceError(`${url.split("?")[0]} answers ${status}`, { status });
  }
  return { value: value.json, headers };
}
