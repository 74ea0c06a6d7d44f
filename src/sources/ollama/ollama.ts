import type { SourceRecord } from "../../inventory/index.ts";
import { inOrder } from "../../pace/index.ts";
import { type ListingOptions, type Source, SourceError } from "../source.ts";
import { SourceHttp, type SourceHttpOptions } from "../source-http.ts";
import { type OllamaTag, ollamaRecord, ollamaShowSchema, ollamaTagSchema, ollamaTagsSchema } from "./record.ts";

/** How Ollama is read. */
export interface OllamaOptions {
  /** Default http://127.0.0.1:11434. */
  url?: string;
  /** How requests are sent and repeated. */
  http?: Pick<SourceHttpOptions, "fetch" | "attempts" | "timeoutMs" | "firstWaitMs" | "mostWaitMs">;
}

/** Where Ollama listens by default. */
export const OLLAMA_URL = "http://127.0.0.1:11434";

const MAX_LIST_BYTES = 16_000_000;
/** The answer contains licences and templates; a tokenizer's vocabulary is left out of it. */
const MAX_SHOW_BYTES = 16_000_000;
/** Requests at a time: Ollama reads the model's file for each. */
const AT_ONCE = 4;

/** The models of a running Ollama, with the details that it shows. */
export function ollamaSource({ url = OLLAMA_URL, http: httpOptions }: OllamaOptions = {}): Source {
  const base = url.replace(/(?<!\/)\/+$/, "");
  return {
    name: "ollama",

    async *list(options) {
      const { signal, onFault } = options;
      // Ollama runs on this machine or nearby: if it does not answer, it is not running.
      const http = new SourceHttp({ ...httpOptions, attemptsToReach: 1, signal, onFault });
      const tags = await listTags(http, base, options);
      const byName = new Map<string, SourceRecord>();
      let complete = true;
      const each = (async function* (): AsyncGenerator<unknown, void> {
        yield* tags;
      })();
      for await (const read of inOrder(each, AT_ONCE, (item) => readModel(http, base, item, options))) {
        if ("problem" in read) {
          complete = false;
          options.onSkip?.({ name: read.name, reason: read.problem });
          continue;
        }
        // Several quantizations of one Hub repository are one model.
        const before = byName.get(read.record.name.toLowerCase());
        const variants = [...(before?.variants ?? []), ...(read.record.variants ?? [])];
        byName.set(read.record.name.toLowerCase(), variants.length === 0 ? read.record : { ...read.record, variants });
      }
      yield* byName.values();
      return { complete };
    },
  };
}

async function listTags(http: SourceHttp, base: string, { signal, onTotal }: ListingOptions): Promise<unknown[]> {
  const { status, value } = await http
    .request(`${base}/api/tags`, {
      accept: "application/json",
      maxBytes: MAX_LIST_BYTES,
      read: (bytes) => ollamaTagsSchema.parse(JSON.parse(bytes.toString("utf8"))).models,
    })
    .catch((error: unknown) => {
      signal?.throwIfAborted();
      if (!(error instanceof SourceError) || error.status !== undefined) {
        throw error;
      }
      throw new SourceError(`There is no Ollama at ${base}; start it, or set MODELSCOUT_OLLAMA_URL`, { cause: error });
    });
  if (value === undefined) {
    throw new SourceError(`${base} answers ${status} to /api/tags: it is not Ollama; see MODELSCOUT_OLLAMA_URL`, {
      status,
    });
  }
  onTotal?.(value.length);
  return value;
}

async function readModel(
  http: SourceHttp,
  base: string,
  item: unknown,
  options: ListingOptions,
): Promise<{ record: SourceRecord } | { name: string; problem: string }> {
  const tag = ollamaTagSchema.safeParse(item);
  if (!tag.success) {
    const name = (item as { name?: unknown } | null)?.name;
    const problem = tag.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");
    return { name: typeof name === "string" ? name : "a model without a name", problem };
  }
  const read = ollamaRecord(tag.data, await show(http, base, tag.data, options));
  return "record" in read ? read : { name: tag.data.name, problem: read.problem };
}

async function show(http: SourceHttp, base: string, { name }: OllamaTag, { signal, onDetailLost }: ListingOptions) {
  const lost = (problem: string) => {
    onDetailLost?.(`The details of ${name} in Ollama: ${problem}`);
    return undefined;
  };
  try {
    const { status, value } = await http.request(`${base}/api/show`, {
      accept: "application/json",
      // Older versions call it name.
      body: { model: name, name },
      maxBytes: MAX_SHOW_BYTES,
      read: (bytes) => ollamaShowSchema.parse(JSON.parse(bytes.toString("utf8"))),
    });
    return value ?? lost(`it answers ${status}`);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof SourceError) {
      return lost(error.message);
    }
    throw error;
  }
}
