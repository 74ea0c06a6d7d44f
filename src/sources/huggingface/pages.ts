import { listModels } from "@huggingface/hub";
import { z } from "zod";
import { type ListingOptions, SourceError } from "../source.ts";
import type { SourceHttp } from "../source-http.ts";
import { type HubModel, hubFields, hubModelSchema } from "./api.ts";

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
  if (text === undefined) {
    return undefined;
  }
  try {
    const cursor = cursorSchema.parse(JSON.parse(text));
    const isUsable = new URL(cursor.next).origin === new URL(hubUrl).origin && Date.now() - cursor.at < CURSOR_AGE_MS;
    return isUsable ? cursor : undefined;
  } catch {
    // Whatever wrote it, a listing from the start is right.
    return undefined;
  }
}

/**
 * The address in a Link header whose relation is `next`; undefined where there is none.
 *
 * @param current the address that answered with the header: what the new one may be relative to.
 */
export function nextPage(headers: Headers, current: string): string | undefined {
  const target = /<([^<>]+)>\s*;[^,<]*\brel="?next\b/i.exec(headers.get("link") ?? "")?.[1];
  return target === undefined || !URL.canParse(target, current) ? undefined : new URL(target, current).href;
}

/** A page is 500 models of a few kB; owners' cards can make some of them long. */
const MAX_PAGE_BYTES = 64_000_000;
/** Pages in a row without a model: the hub goes round in circles. */
const MOST_EMPTY_PAGES = 20;

/** A page of the listing. */
export interface HubPage {
  /** Where it is; undefined before the first. */
  url: string | undefined;
}

/** The pages of a listing of the Hub, as `listModels` asks for them: from a cursor on, with their good models only. */
export class HubPages {
  /** The page that models are taken from now. */
  current: HubPage = { url: undefined };
  readonly #http: SourceHttp;
  readonly #hubUrl: string;
  readonly #listing: ListingOptions;
  #start: HubCursor | undefined;
  /** Where the listing goes on; undefined at its end. */
  #next: string | undefined;
  #offered = 0;
  #taken = 0;
  #emptyPages = 0;
  #lacks: boolean;
  readonly #seen = new Set<string>();

  constructor(http: SourceHttp, hubUrl: string, start: HubCursor | undefined, listing: ListingOptions) {
    this.#http = http;
    this.#hubUrl = hubUrl;
    this.#start = start;
    this.#lacks = start?.lacks ?? false;
    this.#listing = listing;
  }

  /** Whether something was not listed: a page that was lost, a record that is none, a model that is private. */
  get lacks(): boolean {
    return this.#lacks;
  }

  /** Whether every model of the hub was taken. */
  isComplete(): boolean {
    return !this.#lacks && this.#next === undefined && this.#taken === this.#offered;
  }

  /** Leaves a model out. */
  skip(name: string, reason: string): void {
    this.#lacks = true;
    this.#listing.onSkip?.({ name, reason });
  }

  async *models(limit: number): AsyncGenerator<HubModel, void> {
    if (limit <= 0) {
      this.#lacks = true;
      return;
    }
    const entries = listModels({
      hubUrl: this.#hubUrl,
      sort: "downloads",
      limit,
      // The type lists fewer fields than the Hub tells and the library passes on.
      additionalFields: [...hubFields] as never[],
      fetch: (url) => this.#page(String(url)),
    });
    for await (const entry of entries) {
      this.#taken++;
      // Each is one of those that #page checked, its fields under the library's names.
      const { name: id, task, updatedAt, ...rest } = entry as typeof entry & Omit<HubModel, "id">;
      const lastModified = Number.isNaN(updatedAt.getTime()) ? undefined : updatedAt.toISOString();
      yield { ...rest, id, pipeline_tag: task, lastModified };
    }
  }

  /** A page with its good models only, in the form of a response. */
  async #page(asked: string): Promise<Response> {
    const resumed = this.#start;
    this.#start = undefined;
    const url = resumed?.next ?? asked;
    this.current = { url };
    this.#seen.add(url);
    let next: string | undefined;
    const models = await this.#http
      .request(url, {
        accept: "application/json",
        maxBytes: MAX_PAGE_BYTES,
        read: (bytes, headers) => {
          next = nextPage(headers, url);
          const items: unknown = JSON.parse(bytes.toString("utf8"));
          if (!Array.isArray(items)) {
            throw new Error("a page that is no list");
          }
          return items;
        },
      })
      .then(
        ({ status, value }) => {
          if (value === undefined && resumed !== undefined && status < 500) {
            throw new CursorRefused();
          }
          if (value === undefined) {
            throw refused(url, status);
          }
          return this.#good(value);
        },
        (error: unknown) => {
          // The header told where the next page is, so one that is broken for good costs itself only.
          if (!(error instanceof SourceError) || error.status !== 200 || next === undefined) {
            throw error;
          }
          this.#lacks = true;
          this.#listing.onGap?.(`${error.message}; its models are left out`);
          return [];
        },
      );
    this.#offered += models.length;
    this.#next = this.#following(next, models.length);
    const headers = this.#next === undefined ? undefined : { link: `<${this.#next}>; rel="next"` };
    return Object.assign(new Response(null, { headers }), { json: async () => models });
  }

  #good(items: readonly unknown[]): HubModel[] {
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
      // A token shows its owner's, which are nobody else's business.
      if (model.private === true || model.disabled === true) {
        this.#lacks = true;
        return [];
      }
      return [model];
    });
  }

  /** The next page, if it may be followed. */
  #following(next: string | undefined, models: number): string | undefined {
    this.#emptyPages = models === 0 ? this.#emptyPages + 1 : 0;
    if (next === undefined) {
      return undefined;
    }
    const problem =
      new URL(next).origin !== new URL(this.#hubUrl).origin
        ? `names ${new URL(next).origin} as the place of its next page`
        : this.#seen.has(next)
          ? "names a page as the next that was read before"
          : this.#emptyPages >= MOST_EMPTY_PAGES
            ? `has had ${MOST_EMPTY_PAGES} pages without a model`
            : undefined;
    if (problem === undefined) {
      return next;
    }
    this.#lacks = true;
    this.#listing.onGap?.(`${this.#hubUrl} ${problem}; the listing ends there`);
    return undefined;
  }
}

function refused(url: string, status: number): SourceError {
  const { origin } = new URL(url);
  const says = `${origin} answers ${status} when asked for its models`;
  if (status === 401 || status === 403) {
    return new SourceError(`${says}: HF_TOKEN is wrong, or lacks the right to read`, { status });
  }
  if (status === 404) {
    return new SourceError(`${says}: it is no Hugging Face Hub; see MODELSCOUT_HUB_URL`, { status });
  }
  return new SourceError(says, { status });
}
