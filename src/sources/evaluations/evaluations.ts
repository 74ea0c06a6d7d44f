import { z } from "zod";
import {
  BoardFormError,
  boardFiles,
  bundledEvaluations,
  bundledKeys,
  type Evaluation,
  strongestEvaluations,
} from "../../evaluations/index.ts";
import { EVALUATIONS_SOURCE, isModelName } from "../../inventory/index.ts";
import { type Listing, type ListingOptions, type Source, SourceError } from "../source.ts";
import { SourceHttp, type SourceHttpOptions } from "../source-http.ts";
import { hubClaimsReading, hubLeaderboardReadings } from "./hub-benchmarks.ts";
import { arenaReadings } from "./lmarena.ts";
import { type Reading, readText } from "./reading.ts";
import { type DayKnown, type Snapshot, Snapshots } from "./snapshots.ts";

/** How boards are read. */
export interface EvaluationsOptions {
  /** Folder that keeps what was last read of each board. */
  folder: string;
  /** Default https://huggingface.co. */
  hubUrl?: string;
  /** Raises the Hub's limits and gives access to gated benchmarks. */
  accessToken?: string;
  /** Addresses in place of `boardAddresses`; a board whose address is `off` is not read. */
  boardUrls?: Readonly<Partial<Record<keyof typeof boardAddresses, string>>>;
  /** How requests are sent and repeated. */
  http?: Pick<
    SourceHttpOptions,
    "fetch" | "attempts" | "attemptsToReach" | "attemptsToParse" | "timeoutMs" | "firstWaitMs" | "mostWaitMs"
  >;
}

const DEFAULT_HUB = "https://huggingface.co";

/**
 * If a board has lost more than this share of its models, its format has probably changed, or the file is half written.
 */
const LEAST_KEPT = 0.5;

const cursorSchema = z.object({
  /** When the listing began, in milliseconds since 1970: boards that were read since then are not read again. */
  began: z.number(),
});

/**
 * What leaderboards measured, read at their own addresses. Its records have names and figures alone, and add no models. A
 * board that cannot be read, or that changed its form, is reported and keeps its last figures.
 */
export function evaluationsSource(options: EvaluationsOptions): Source {
  return { name: EVALUATIONS_SOURCE, list: (listing) => listBoards(options, listing) };
}

async function* listBoards(options: EvaluationsOptions, listing: ListingOptions): Listing {
  const began = beganOf(listing.cursor) ?? Date.now();
  const snapshots = new Snapshots(options.folder);
  const { signal, onFault } = listing;
  const plain = new SourceHttp({ ...options.http, signal, onFault });
  const hubUrl = trimmed(options.hubUrl ?? DEFAULT_HUB);
  const headers = options.accessToken === undefined ? undefined : { authorization: `Bearer ${options.accessToken}` };
  const hub = new SourceHttp({ ...options.http, headers, signal, onFault });
  const figures = new Map<string, { name: string; evaluations: Evaluation[] }>();
  const unreachable = new Set<string>();
  const dayKnown = bundledDays();
  let complete = true;
  const lose = (reading: Reading, reason: string, before: Snapshot | undefined) => {
    complete = false;
    const kept =
      before === undefined
        ? "no figures were read before, so only the bundled figures are used"
        : "its last figures are kept";
    listing.onGap?.(`${reading.name} ${reason}; ${kept}`);
  };
  for (const reading of readingsOf(options, hubUrl)) {
    signal?.throwIfAborted();
    const before = snapshots.read(reading.name);
    let snapshot: Snapshot | undefined = before;
    if ((before?.readAt ?? 0) < began && !unreachable.has(reading.host)) {
      try {
        // The token is for the Hub alone.
        const http = reading.host === hubUrl ? hub : plain;
        const today = new Date().toISOString().slice(0, 10);
        const known = () => [...new Set([...bundledKeys(), ...figures.keys()])];
        const boards = await reading.read({ http, today, known });
        const models = new Set(boards.flatMap((board) => [...board.figures.keys()])).size;
        if (before !== undefined && models < LEAST_KEPT * before.models.size) {
          throw new BoardFormError(`has ${models} models, and had ${before.models.size} at the last sync`);
        }
        snapshot = snapshots.save(reading.name, boards, { readAt: Date.now(), today, dayKnown });
      } catch (error) {
        // No answer came. Other readings of the same host would fail for the same reason.
        if (error instanceof SourceError && error.status === undefined && error.cause !== undefined) {
          unreachable.add(reading.host);
        } else if (!(error instanceof BoardFormError) && !(error instanceof SourceError)) {
          throw error;
        }
        lose(reading, error.message, before);
      }
    } else if (unreachable.has(reading.host)) {
      complete = false;
    }
    add(figures, snapshot);
    await listing.onCheckpoint?.(JSON.stringify({ began }));
  }
  listing.onTotal?.(figures.size);
  for (const { name, evaluations } of figures.values()) {
    yield { name, evaluations: strongestEvaluations(evaluations) };
  }
  return { complete };
}

function readingsOf({ boardUrls = {} }: EvaluationsOptions, hubUrl: string): Reading[] {
  const addressOf = (publisher: keyof typeof boardAddresses) => {
    const url = boardUrls[publisher] ?? boardAddresses[publisher];
    return url === "off" ? undefined : trimmed(url);
  };
  const arena = addressOf("lmarena");
  return [
    ...fileReadings(addressOf),
    ...(arena === undefined ? [] : arenaReadings(arena)),
    ...hubLeaderboardReadings(hubUrl),
    hubClaimsReading(hubUrl),
  ];
}

function add(figures: Map<string, { name: string; evaluations: Evaluation[] }>, snapshot: Snapshot | undefined): void {
  for (const [name, evaluations] of snapshot?.models ?? []) {
    if (!isModelName(name)) {
      continue;
    }
    const key = name.toLowerCase();
    const known = figures.get(key);
    figures.set(key, { name, evaluations: [...(known?.evaluations ?? []), ...evaluations] });
  }
}

/** A board that has not changed since its figures were bundled is as old as they are, whenever it is read. */
function bundledDays(): DayKnown {
  const idOf = (model: string, board: string) => `${board} ${model.toLowerCase()}`;
  const bundled = new Map(
    bundledKeys().flatMap((key) => bundledEvaluations(key).map((figure) => [idOf(key, figure.board), figure] as const)),
  );
  return (model, { board, value, place, of }) => {
    const known = bundled.get(idOf(model, board));
    return known?.value === value && known.place === place && known.of === of ? known.as_of : undefined;
  };
}

function beganOf(cursor: string | undefined): number | undefined {
  try {
    return cursor === undefined ? undefined : cursorSchema.parse(JSON.parse(cursor)).began;
  } catch {
    // Without a cursor all boards are read, which is always right.
    return undefined;
  }
}

function trimmed(url: string): string {
  return url.replace(/(?<!\/)\/+$/, "");
}

/** Who publishes boards that are read live, and where by default. The Hub's own come from the Hub's address. */
export const boardAddresses = {
  lmarena: "https://datasets-server.huggingface.co",
  euroeval: "https://raw.githubusercontent.com/EuroEval/leaderboards/main",
  "open-asr": "https://raw.githubusercontent.com/huggingface/open_asr_leaderboard/main",
  timm: "https://raw.githubusercontent.com/huggingface/pytorch-image-models/main",
  bfcl: "https://raw.githubusercontent.com/ShishirPatil/gorilla/gh-pages",
  vectara: "https://raw.githubusercontent.com/vectara/hallucination-leaderboard/main",
  openclip: "https://raw.githubusercontent.com/mlfoundations/open_clip/main",
} as const;

/** The files of boards that their publishers keep in repositories. */
export function fileReadings(addressOf: (publisher: keyof typeof boardAddresses) => string | undefined): Reading[] {
  return boardFiles.flatMap(({ publisher, path, read }): Reading[] => {
    const base = publisher in boardAddresses ? addressOf(publisher as keyof typeof boardAddresses) : undefined;
    if (path === undefined || base === undefined) {
      return [];
    }
    return [
      {
        name: `${publisher}/${path}`,
        host: base,
        read: async ({ http, today, known }) =>
          read(await readText(http, `${base}/${path}`), { asOf: today, known: known() }),
      },
    ];
  });
}
