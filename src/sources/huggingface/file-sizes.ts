import { isWeightsFile } from "../record/repository-variants.ts";
import { type ListingOptions, SourceError } from "../source.ts";
import type { SourceHttp } from "../source-http.ts";
import { type HubModel, hubModelSchema, hubPath } from "./api.ts";
import type { CardCache } from "./cards.ts";

/** The sizes of files, by path. */
type Sizes = Readonly<Record<string, number>>;

const schema = hubModelSchema.pick({ siblings: true });

/** A listing requests the sizes of at most so many repositories; those of earlier ones are in the cache. */
const MOST_REQUESTS = 200;
/** After this many failures in a row, no more sizes are requested. */
const MOST_LOST = 10;
/** Repositories of one model have at most a few dozen GGUF files. */
const MOST_FILES = 500;
/** A smaller file is not a model, and the Hub accepts no larger one. */
const BYTES = { least: 1e6, most: 500e9 };
const MAX_BYTES = 4_000_000;
/** Part of the cache's key. Raise its number when other files are read, so that sizes are read again. */
const READING = "sizes-1";

/**
 * Reads the sizes of the GGUF files of a repository, which a listing leaves out: the bytes of its tensors in their true
 * types, and a header of a few megabytes. One answer has all files, so no file is opened. Unchanged repositories are
 * answered from the cache. Without an answer, the model stays as it was listed.
 */
export function createSizeReader(
  http: SourceHttp,
  hubUrl: string,
  cache: CardCache | undefined,
  { onDetailLost, signal }: ListingOptions,
): (model: HubModel) => Promise<HubModel> {
  let requests = 0;
  let lostInRow = 0;
  return async (model) => {
    const { id, sha, siblings } = model;
    const lacksSize = siblings?.some(({ rfilename, size }) => isWeightsFile(rfilename) && typeof size !== "number");
    if (!lacksSize) {
      return model;
    }
    const known = sha ? cache?.get(`${id}/${READING}`, sha) : undefined;
    const sizes = known === undefined ? await request(model) : known === null ? {} : (JSON.parse(known) as Sizes);
    return {
      ...model,
      siblings: siblings?.map((file) => ({
        ...file,
        size: Object.hasOwn(sizes, file.rfilename) ? sizes[file.rfilename] : file.size,
      })),
    };
  };

  async function request({ id, sha }: HubModel): Promise<Sizes> {
    if (requests >= MOST_REQUESTS || lostInRow >= MOST_LOST) {
      return {};
    }
    requests++;
    try {
      const { status, value } = await http.request(`${hubUrl}/api/models/${hubPath(id)}?blobs=true`, {
        accept: "application/json",
        maxBytes: MAX_BYTES,
        read: (bytes) => sizesIn(bytes),
      });
      lostInRow = 0;
      if (value !== undefined || status === 404) {
        cache?.set(`${id}/${READING}`, sha ?? "", value === undefined ? null : JSON.stringify(value));
      }
      return value ?? {};
    } catch (error) {
      if (signal?.aborted || !(error instanceof SourceError)) {
        throw error;
      }
      lostInRow++;
      onDetailLost?.(`The file sizes of ${id}: ${error.message}`);
      return {};
    }
  }
}

function sizesIn(bytes: Buffer): Sizes {
  const { siblings } = schema.parse(JSON.parse(bytes.toString("utf8")));
  return Object.fromEntries(
    (siblings ?? [])
      .flatMap(
        ({ rfilename, size }): Array<[string, number]> =>
          isWeightsFile(rfilename) && size && size >= BYTES.least && size <= BYTES.most ? [[rfilename, size]] : [],
      )
      .slice(0, MOST_FILES),
  );
}
