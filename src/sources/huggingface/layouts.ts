import { lacksLayout } from "../../hardware/index.ts";
import type { SourceRecord } from "../../inventory/index.ts";
import { ggufAttention } from "../record/gguf-attention.ts";
import { readGgufHeader } from "../record/gguf-header.ts";
import { describingGguf } from "../record/repository-variants.ts";
import { type ListingOptions, SourceError } from "../source.ts";
import type { SourceHttp } from "../source-http.ts";
import { type HubModel, hubPath } from "./api.ts";
import type { CardCache } from "./cards.ts";
import { attentionOf } from "./configurations.ts";

type Attention = NonNullable<SourceRecord["attention"]>;

/** A layout that was read, and from which file. */
export interface ReadLayout {
  attention: Attention;
  /** For `facts_from`. */
  origin: string;
}

/** A kind of file that has a layout. */
interface LayoutFile {
  origin: string;
  /** Part of the cache's key. Raise its number when `read` reads other keys, so that files are read again. */
  reading: string;
  /** Its name in reports. */
  title: string;
  /** The path of the file in a repository, if it has one. */
  pathIn: (paths: readonly string[]) => string | undefined;
  /** Bytes read of it; the rest is cut. */
  maxBytes: number;
  accept: string;
  /** Whether only the beginning is requested. */
  beginning?: boolean;
  read: (bytes: Buffer) => Attention | undefined;
}

/** The files in the order in which they are tried. */
const layoutFiles: readonly LayoutFile[] = [
  {
    origin: "config.json of the repository",
    reading: "attention-1",
    title: "The configuration",
    pathIn: (paths) => paths.find((path) => path === "config.json"),
    // Configurations of a few models name each quantized layer. They are cut here, and so not read.
    maxBytes: 1_000_000,
    accept: "application/json",
    read: (bytes) => attentionOf(bytes.toString("utf8")),
  },
  {
    origin: "header of a GGUF file of the repository",
    reading: "gguf-1",
    title: "The GGUF header",
    pathIn: describingGguf,
    // The keys of the architecture are within the first few kilobytes; the vocabulary after them takes megabytes.
    maxBytes: 65_536,
    accept: "application/octet-stream",
    beginning: true,
    read: (bytes) => {
      const keys = readGgufHeader(bytes);
      return keys && ggufAttention(keys);
    },
  },
];

/** A listing requests at most so many files; those of an earlier one are in the cache. */
const MOST_REQUESTS = 500;
/** After so many failures of one kind of file in a row, no more of it are requested. */
const MOST_LOST = 10;

/**
 * Reads the attention layout from a file of a repository, for models that generate text and whose layout no table
 * knows. Unchanged repositories are answered from the cache.
 */
export function createLayoutReader(
  http: SourceHttp,
  hubUrl: string,
  cache: CardCache | undefined,
  { onDetailLost, signal }: ListingOptions,
): (model: HubModel, record: SourceRecord) => Promise<ReadLayout | undefined> {
  let requests = 0;
  const lostInRow = new Map<LayoutFile, number>();
  return async (model, record) => {
    const paths = model.siblings?.map(({ rfilename }) => rfilename) ?? [];
    const files = layoutFiles.flatMap((file) => {
      const path = file.pathIn(paths);
      return path === undefined ? [] : [{ file, path }];
    });
    if (files.length === 0 || !lacksLayout(figuresOf(record))) {
      return undefined;
    }
    for (const { file, path } of files) {
      const known = cached(model, file);
      const attention = known === undefined ? await request(model, file, path) : known;
      if (attention) {
        return { attention, origin: file.origin };
      }
    }
    return undefined;
  };

  /** null if the unchanged file is known to have no layout that we can read. */
  function cached({ id, sha }: HubModel, { reading }: LayoutFile): Attention | null | undefined {
    const known = sha ? cache?.get(`${id}/${reading}`, sha) : undefined;
    return typeof known === "string" ? (JSON.parse(known) as Attention) : known;
  }

  async function request({ id, sha }: HubModel, file: LayoutFile, path: string): Promise<Attention | undefined> {
    if (requests >= MOST_REQUESTS || (lostInRow.get(file) ?? 0) >= MOST_LOST) {
      return undefined;
    }
    requests++;
    try {
      const { status, value } = await http.request(`${hubUrl}/${hubPath(id)}/resolve/main/${hubPath(path)}`, {
        accept: file.accept,
        maxBytes: file.maxBytes,
        cut: true,
        beginning: file.beginning,
        follows: (target) => servesFilesOf(hubUrl, target),
        read: (bytes) => ({ attention: file.read(bytes) }),
      });
      lostInRow.set(file, 0);
      // Another status than 404 may differ in the next listing: access to a repository is granted later.
      if (value !== undefined || status === 404) {
        cache?.set(`${id}/${file.reading}`, sha ?? "", value?.attention ? JSON.stringify(value.attention) : null);
      }
      return value?.attention;
    } catch (error) {
      if (signal?.aborted || !(error instanceof SourceError)) {
        throw error;
      }
      // Read again: several requests are under way at a time.
      lostInRow.set(file, (lostInRow.get(file) ?? 0) + 1);
      onDetailLost?.(`${file.title} of ${id}: ${error.message}`);
      return undefined;
    }
  }
}

/** Large files of the Hub are on other hosts of its own: cas-bridge.xethub.hf.co, cdn-lfs.hf.co, us.aws.cdn.hf.co … */
const FILE_HOSTS = /(?:^|\.)(?:hf\.co|huggingface\.co)$/;

/** Whether large files may come from this address: from a host of the Hub by HTTPS, or from any port of the host that was asked. */
function servesFilesOf(hubUrl: string, { protocol, hostname }: URL): boolean {
  const hub = new URL(hubUrl);
  return (
    (protocol === "https:" && FILE_HOSTS.test(hostname)) || (protocol === hub.protocol && hostname === hub.hostname)
  );
}

/** The figures that find a row of a table. Without a task, a repository of GGUF files has a language model. */
function figuresOf(record: SourceRecord) {
  const { name, base_model, task_types, parameters, active_parameters, attention, variants } = record;
  const isGguf = variants?.some(({ format }) => format === "gguf") === true;
  return {
    name,
    baseModel: base_model,
    taskTypes: task_types ?? (isGguf ? ["text-generation"] : []),
    parameters,
    activeParameters: active_parameters,
    attention: attention && { layers: attention.layers, latentDim: attention.latent_dim },
  };
}
