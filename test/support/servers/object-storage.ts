import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";

/** Object storage as S3 has it, for tests. */
export interface ObjectStorage {
  /** Environment variables of a service whose inventory is there. */
  env: { MODELSCOUT_INVENTORY_URI: string; MODELSCOUT_INVENTORY_OPTIONS: string };
  /**
   * Copies all objects of the inventory, one after another in the order of their names as `aws s3 sync` does.
   *
   * @param prefix where the copy is to be.
   * @returns the URI of the copy.
   */
  copyTo(prefix: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts s3rver, which speaks S3, on a free port with an empty bucket. */
export async function startObjectStorage(): Promise<ObjectStorage> {
  const directory = await mkdtemp(join(tmpdir(), "modelscout-s3-"));
  const server = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory,
    configureBuckets: [{ name: "models", configs: [] }],
  });
  mendListing(server.store);
  const { port } = (await server.run()) as AddressInfo;
  const options = {
    endpoint: `http://127.0.0.1:${port}`,
    allowHttp: "true",
    // s3rver has these keys for everybody.
    accessKeyId: "S3RVER",
    secretAccessKey: "S3RVER",
    region: "us-east-1",
  };
  return {
    env: {
      MODELSCOUT_INVENTORY_URI: "s3://models/inventory",
      MODELSCOUT_INVENTORY_OPTIONS: JSON.stringify(options),
    },
    async copyTo(prefix) {
      const { objects } = await server.store.listObjects("models", { prefix: "inventory/" });
      for (const { key } of objects) {
        await server.store.copyObject("models", key, "models", prefix + key.slice("inventory".length));
      }
      return `s3://models/${prefix}`;
    },
    async stop() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * s3rver does not list a folder that has nothing but folders, as those of LanceDB's tables: here all that is below a
 * prefix is listed, and the folders are made of that.
 */
function mendListing(store: S3rver["store"]): void {
  const list = store.listObjects.bind(store);
  store.listObjects = async (bucket, { delimiter = "", prefix = "", maxKeys = 1_000, ...options }) => {
    const { objects } = await list(bucket, { ...options, prefix });
    const below = ({ key }: { key: string }) => key.slice(prefix.length);
    const isDeeper = (object: { key: string }) => delimiter !== "" && below(object).includes(delimiter);
    const folders = objects
      .filter(isDeeper)
      .map((object) => prefix + below(object).slice(0, below(object).indexOf(delimiter) + delimiter.length));
    const files = objects.filter((object) => !isDeeper(object));
    const isTruncated = files.length > maxKeys;
    return { objects: files.slice(0, maxKeys), commonPrefixes: [...new Set(folders)].sort(), isTruncated };
  };
}
