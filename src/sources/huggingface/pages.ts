import { z } from "zod";
import { type ListingOptions, SourceError } from "../source.ts";
import type { SourceHttp } from "../source-http.ts";
import { type HubModel, hubFields, hubModelSchema } from "./api.ts";

/** Where a listing of the Hub resumes. */
export type HubCursor = z.infer<typeof cursorSchema>;

const cursorSchema = z.object({
  /** The URL of the next page. */
  next: z.url(),
  /** How many models were listed before it. */
  listed: z.number().int().nonnegative(),
  /** Whether anything before it was left out. */
  lacks: z.boolean(),
  /** When the cursor was made, in milliseconds since 1970. */
  at: z.number(),
});

/** The list has moved on by then: an older cursor would skip models. */
const CURSOR_AGE_MS = 24 * 3_600_000;

/** The Hub no longer accepts a cursor. */
export class CursorRefused extends Error {}

/** Parses the cursor of an earlier listing. Undefined when it is malformed, too old, or of another hub. */
export function readHubCursor(text: string | undefined, hubUrl: string): HubCursor | undefined {
  if (text === undefined) {
    return undefined;
  }
  try {
    const cursor = cursorSchema.parse(JSON.parse(text));
    const isUsable = new URL(cursor.next).origin === new URL(hubUrl).origin && Date.now() - cursor.at < CURSOR_AGE_MS;
    return isUsable ? cursor : undefined;
  } catch {
    // Without a cursor the listing starts from the beginning, which is always right.
    return undefined;
  }
}

/** Models of a page, as the Hub's own client asks for them. */
const PAGE_SIZE = 500;

/** The URL of the first page: the most downloaded models first, each with the fields that `hubModelSchema` reads. */
function firstPage(hubUrl: string, limit: number): string {
  const query = new URLSearchParams({ limit: String(Math.min(limit, PAGE_SIZE)), sort: "downloads" });
  for (const field of hubFields) {
    query.append("expand", field);
  }
  return `${hubUrl}/api/models?${query}`;
}

/**
 * The URL that a Link header names as `rel="next"` (RFC 8288); undefined without one.
 *
 * @param current the URL of the answer with this header, which a relative target is resolved against.
 */
function nextPage(headers: Headers, current: string): string | undefined {
  const target = /<([^<>]+)>\s*;[^,<]*\brel="?next\b/i.exec(headers.get("link") ?? "")?.[1];
  return target === undefined || !URL.canParse(target, current) ? undefined : new URL(target, current).href;
}

/** A page is 500 models of a few kB each; what owners write can make some of them long. */
const MAX_PAGE_BYTES = 64_000_000;
/** After this many pages in a row without a model the listing ends: the hub would send such pages for ever. */
const MAX_EMPTY_PAGES = 20;

/** A model in the listing. */
export interface ListedModel {
  model: HubModel;
  /** The URL of its page. */
  page: string;
}

/** Reads the listing of the Hub page by page, from the start or from a cursor. Invalid and private models are left out. */
export class HubPages {
  readonly #http: SourceHttp;
  readonly #hubUrl: string;
  readonly #start: HubCursor | undefined;
  readonly #listing: ListingOptions;
  /** The page after the current one; undefined at the end. */
  #next: string | undefined;
  /** Valid models in the pages so far, and how many of them were listed. */
  #received = 0;
  #listed = 0;
  #emptyPages = 0;
  #isLacking: boolean;
  readonly #seen = new Set<string>();

  constructor(http: SourceHttp, hubUrl: string, start: HubCursor | undefined, listing: ListingOptions) {
    this.#http = http;
    this.#hubUrl = hubUrl;
    this.#start = start;
    this.#isLacking = start?.lacks ?? false;
    this.#listing = listing;
  }

  /** Whether anything was left out: a page that could not be read, an invalid record, a private model. */
  get isLacking(): boolean {
    return this.#isLacking;
  }

  /** Whether every model of the hub was listed. */
  isComplete(): boolean {
    return !this.#isLacking && this.#next === undefined && this.#listed === this.#received;
  }

  /** Leaves a model out, and reports why. */
  skip(name: string, reason: string): void {
    this.#isLacking = true;
    this.#listing.onSkip?.({ name, reason });
  }

  /**
   * The models of all pages, at most `limit`.
   *
   * @throws CursorRefused when the Hub rejects the cursor; SourceError when a page cannot be read.
   */
  async *models(limit: number): AsyncGenerator<ListedModel, void> {
    if (limit <= 0) {
      this.#isLacking = true;
      return;
    }
    const first = this.#start?.next ?? firstPage(this.#hubUrl, limit);
    let left = limit;
    for (let page: string | undefined = first; page !== undefined; page = this.#next) {
      for (const model of await this.#read(page)) {
        this.#listed++;
        yield { model, page };
        left--;
        if (left === 0) {
          return;
        }
      }
    }
  }

  /** The valid models of a page. Sets where the next one is. */
  async #read(page: string): Promise<HubModel[]> {
    const isResumed = page === this.#start?.next;
    this.#seen.add(page);
    let next: string | undefined;
    const read = (bytes: Buffer, headers: Headers): unknown[] => {
      next = nextPage(headers, page);
      const items: unknown = JSON.parse(bytes.toString("utf8"));
      if (!Array.isArray(items)) {
        throw new Error("the page is not a list");
      }
      return items;
    };
    let models: HubModel[] = [];
    try {
      const { status, value } = await this.#http.request(page, {
        accept: "application/json",
        maxBytes: MAX_PAGE_BYTES,
        read,
      });
      if (value === undefined) {
        throw isResumed && status < 500 ? new CursorRefused() : refused(page, status);
      }
      models = this.#validModels(value);
    } catch (error) {
      // The body is broken for good, but its header named the next page, so only this page is lost.
      const isBrokenBody = error instanceof SourceError && error.status === 200 && next !== undefined;
      if (!isBrokenBody) {
        throw error;
      }
      this.#isLacking = true;
      this.#listing.onGap?.(`${error.message}; its models are left out`);
    }
    this.#received += models.length;
    this.#next = this.#checkNext(next, models.length);
    return models;
  }

  #validModels(items: readonly unknown[]): HubModel[] {
    return items.flatMap((item, i) => {
      const parsed = hubModelSchema.safeParse(item);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        const id = (item as { id?: unknown } | null)?.id;
        const name = typeof id === "string" ? id : `model ${i + 1} of a page`;
        this.skip(
          name,
          issue === undefined ? "malformed" : [issue.path.join("."), issue.message].filter(Boolean).join(": "),
        );
        return [];
      }
      const model = parsed.data;
      // With a token, the Hub also lists its owner's private models. Other people must not see them.
      if (model.private === true || model.disabled === true) {
        this.#isLacking = true;
        return [];
      }
      return [model];
    });
  }

  /** The next page. If it must not be followed, this reports it and returns undefined. */
  #checkNext(next: string | undefined, models: number): string | undefined {
    this.#emptyPages = models === 0 ? this.#emptyPages + 1 : 0;
    if (next === undefined) {
      return undefined;
    }
    const problem =
      new URL(next).origin !== new URL(this.#hubUrl).origin
        ? `names a next page on another server, ${new URL(next).origin}`
        : this.#seen.has(next)
          ? "names a next page that was already read"
          : this.#emptyPages >= MAX_EMPTY_PAGES
            ? `sent ${MAX_EMPTY_PAGES} pages in a row without a model`
            : undefined;
    if (problem === undefined) {
      return next;
    }
    this.#isLacking = true;
    this.#listing.onGap?.(`${this.#hubUrl} ${problem}; the listing ends here`);
    return undefined;
  }
}

function refused(url: string, status: number): SourceError {
  const { origin } = new URL(url);
  const says = `${origin} answers ${status} when asked for its models`;
  if (status === 401 || status === 403) {
    return new SourceError(`${says}: HF_TOKEN is wrong or has no read permission`, { status });
  }
  if (status === 404) {
    return new SourceError(`${says}: it is not a Hugging Face Hub; see MODELSCOUT_HUB_URL`, { status });
  }
  return new SourceError(says, { status });
}
