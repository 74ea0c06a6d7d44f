import { z } from "zod";
import { isModelName } from "../../inventory/index.ts";
import { inOrder } from "../../pace/index.ts";
import { type Listing, type ListingEnd, type ListingOptions, type Source, SourceError } from "../source.ts";
import { SourceHttp, type SourceHttpOptions } from "../source-http.ts";
import { hubPath } from "./api.ts";
import { type CardCache, createCardReader } from "./cards.ts";
import { createSizeReader } from "./file-sizes.ts";
import { createLayoutReader } from "./layouts.ts";
import { CursorRefused, type HubCursor, HubPages, type ListedModel, readHubCursor } from "./pages.ts";
import { huggingFaceRecord } from "./record.ts";

/** How the Hub is read. */
export interface HuggingFaceOptions {
  /** Default https://huggingface.co. */
  hubUrl?: string;
  /** Raises the Hub's limits and gives access to gated models; private models are left out anyway. */
  accessToken?: string;
  /** List this many of the most downloaded models. Default 20,000. */
  limit?: number;
  /** Read the cards of this many of them. Default 500. */
  cards?: number;
  /** Keeps cards between listings, so that an unchanged one is not requested again. */
  cardCache?: CardCache;
  /** How requests are sent and repeated. */
  http?: Pick<
    SourceHttpOptions,
    "fetch" | "attempts" | "attemptsToReach" | "attemptsToParse" | "timeoutMs" | "firstWaitMs" | "mostWaitMs"
  >;
}

const DEFAULT_HUB = "https://huggingface.co";
const DEFAULT_LIMIT = 20_000;
const DEFAULT_CARDS = 500;
const MAX_MODEL_BYTES = 8_000_000;
/** Requests for cards and models at a time. */
const AT_ONCE = 6;

/** The models of the Hugging Face Hub, most downloaded first. */
export function huggingFaceSource(options: HuggingFaceOptions = {}): Source {
  const hubUrl = (options.hubUrl ?? DEFAULT_HUB).replace(/(?<!\/)\/+$/, "");
  return {
    name: "huggingface",

    async *list(listing) {
      const cursor = readHubCursor(listing.cursor, hubUrl);
      try {
        return yield* listFrom(cursor, hubUrl, options, listing);
      } catch (error) {
        if (!(error instanceof CursorRefused)) {
          throw error;
        }
        return yield* listFrom(undefined, hubUrl, options, listing);
      }
    },

    async confirmGone(names, { signal, onFault }) {
      const http = createHttp(options, { signal, onFault });
      const asked = async function* (): AsyncGenerator<string, void> {
        yield* names;
      };
      const gone = new Set<string>();
      for await (const { name, isGone } of inOrder(asked(), AT_ONCE, async (name) => ({
        name,
        isGone: await isGoneAt(http, hubUrl, name),
      }))) {
        if (isGone) {
          gone.add(name);
        }
      }
      return gone;
    },
  };
}

async function* listFrom(
  start: HubCursor | undefined,
  hubUrl: string,
  options: HuggingFaceOptions,
  listing: ListingOptions,
): Listing {
  const { limit = DEFAULT_LIMIT, cards = DEFAULT_CARDS } = options;
  listing.onTotal?.(limit);
  const http = createHttp(options, listing);
  const pages = new HubPages(http, hubUrl, start, listing);
  const readCard = createCardReader(http, hubUrl, options.cardCache, listing);
  const readLayout = createLayoutReader(http, hubUrl, options.cardCache, listing);
  const readSizes = createSizeReader(http, hubUrl, options.cardCache, listing);
  const first = start?.listed ?? 0;
  let listed = first;
  let reached: string | undefined;
  const models = numbered(pages.models(limit - first), first);
  const reads = inOrder(models, AT_ONCE, async ({ model, number, page }) => {
    const card = number < cards && isModelName(model.id) ? await readCard(model) : undefined;
    const read = huggingFaceRecord(await readSizes(model), { hubUrl, card });
    const layout = "record" in read ? await readLayout(model, read.record) : undefined;
    return { model, page, read, layout };
  });
  for await (const { model, page, read, layout } of reads) {
    // Reaching a page's first model means that the models of all earlier pages were consumed.
    if (page !== reached && listed > first) {
      const cursor: HubCursor = { next: page, listed, lacks: pages.isLacking, at: Date.now() };
      await listing.onCheckpoint?.(JSON.stringify(cursor));
    }
    reached = page;
    listed++;
    if ("record" in read) {
      const { record } = read;
      yield layout === undefined
        ? record
        : {
            ...record,
            attention: layout.attention,
            facts_from: { ...record.facts_from, attention: layout.origin },
          };
    } else {
      pages.skip(model.id, read.problem);
    }
  }
  return { complete: pages.isComplete() } satisfies ListingEnd;
}

/** Numbers the models from `first` on. */
async function* numbered(
  models: AsyncGenerator<ListedModel, void>,
  first: number,
): AsyncGenerator<ListedModel & { number: number }, void> {
  let number = first;
  for await (const listed of models) {
    yield { ...listed, number: number++ };
  }
}

/** Whether the hub answers that it has no model of this name. Without an answer, the model is not gone. */
async function isGoneAt(http: SourceHttp, hubUrl: string, name: string): Promise<boolean> {
  try {
    const { status, headers, value } = await http.request(`${hubUrl}/api/models/${hubPath(name)}`, {
      accept: "application/json",
      maxBytes: MAX_MODEL_BYTES,
      read: (bytes) => z.object({ id: z.string() }).parse(JSON.parse(bytes.toString("utf8"))).id,
    });
    // It has moved: the new name is listed as a model of its own.
    if (value !== undefined) {
      return value.toLowerCase() !== name.toLowerCase();
    }
    // To anonymous callers the Hub answers 401 for missing models; a header gives the reason.
    return status === 404 || status === 410 || headers.get("x-error-code") === "RepoNotFound";
  } catch (error) {
    if (error instanceof SourceError) {
      return false;
    }
    throw error;
  }
}

function createHttp(
  { http, accessToken }: HuggingFaceOptions,
  { signal, onFault }: Pick<ListingOptions, "signal" | "onFault">,
): SourceHttp {
  const headers = accessToken === undefined ? undefined : { authorization: `Bearer ${accessToken}` };
  return new SourceHttp({ ...http, headers, signal, onFault });
}
