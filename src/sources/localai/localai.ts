import { readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { type ListingOptions, type Source, SourceError } from "../source.ts";
import { SourceHttp, type SourceHttpOptions } from "../source-http.ts";
import { parseYaml } from "./parse-yaml.ts";
import { galleryEntrySchema, localAiRecord } from "./record.ts";

/** How the gallery is read. */
export interface LocalAiOptions {
  /** Its index.yaml: an address, or a file, plain or gzipped. Default: the file in LocalAI's repository on GitHub. */
  indexUrl?: string;
  /** How requests are sent and repeated. */
  http?: Pick<SourceHttpOptions, "fetch" | "attempts" | "attemptsToReach" | "timeoutMs" | "firstWaitMs" | "mostWaitMs">;
}

/** LocalAI's gallery. */
export const LOCALAI_INDEX = "https://raw.githubusercontent.com/mudler/LocalAI/master/gallery/index.yaml";

/** Fifteen times the size of the gallery in 2026. */
const MAX_INDEX_BYTES = 40_000_000;

/** The models of LocalAI's gallery, in its order. */
export function localAiSource({ indexUrl = LOCALAI_INDEX, http }: LocalAiOptions = {}): Source {
  return {
    name: "localai",

    async *list(options) {
      const text = await readIndex(indexUrl, http, options);
      const entries = await parseYaml(text, { signal: options.signal }).catch((error: Error) => {
        options.signal?.throwIfAborted();
        throw new SourceError(`${indexUrl} is not YAML that can be read: ${error.message}`, { cause: error });
      });
      if (!Array.isArray(entries)) {
        throw new SourceError(`${indexUrl} is not a gallery, which is a list of models. See MODELSCOUT_LOCALAI_URL`);
      }
      options.onTotal?.(entries.length);
      const taken = new Set<string>();
      let complete = true;
      const skip = (name: string, reason: string) => {
        complete = false;
        options.onSkip?.({ name, reason });
      };
      for (const [i, item] of entries.entries()) {
        const entry = galleryEntrySchema.safeParse(item);
        if (!entry.success) {
          skip(
            `entry ${i + 1}`,
            entry.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; "),
          );
          continue;
        }
        const read = localAiRecord(entry.data, taken);
        if ("record" in read) {
          taken.add(read.record.name.toLowerCase());
          yield read.record;
        } else {
          skip(entry.data.name, read.problem);
        }
      }
      return { complete };
    },
  };
}

async function readIndex(indexUrl: string, http: LocalAiOptions["http"], options: ListingOptions): Promise<string> {
  if (!/^https?:\/\//i.test(indexUrl)) {
    return readIndexFile(indexUrl);
  }
  const { signal, onFault } = options;
  const { status, value } = await new SourceHttp({ ...http, signal, onFault }).request(indexUrl, {
    accept: "application/yaml, text/plain;q=0.9, */*;q=0.5",
    maxBytes: MAX_INDEX_BYTES,
    read: unpacked,
  });
  if (value === undefined) {
    throw new SourceError(`${indexUrl} answers ${status}: there is no gallery; see MODELSCOUT_LOCALAI_URL`, { status });
  }
  return value;
}

async function readIndexFile(place: string): Promise<string> {
  const path = place.startsWith("file:") ? fileURLToPath(place) : place;
  try {
    if ((await stat(path)).size > MAX_INDEX_BYTES) {
      throw new Error(`it has more than ${MAX_INDEX_BYTES} bytes`);
    }
    return unpacked(await readFile(path));
  } catch (error) {
    const { message } = error as Error;
    throw new SourceError(`The gallery ${path} cannot be read: ${message}. See MODELSCOUT_LOCALAI_URL`, {
      cause: error,
    });
  }
}

/** The text of an index, which may be gzipped. */
function unpacked(bytes: Buffer): string {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (isGzip ? gunzipSync(bytes, { maxOutputLength: MAX_INDEX_BYTES }) : bytes).toString("utf8");
}
