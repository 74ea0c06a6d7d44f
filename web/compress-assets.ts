import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** Text formats; images are compressed already. */
const compressible = /\.(?:html|js|css|svg)$/;

/**
 * Writes `FILE.br` and `FILE.gz` beside every text file of the build, so that the service does not compress them
 * itself. Browsers accept Brotli over TLS and on loopback, and gzip everywhere.
 */
export function compressAssets(): Plugin {
  return {
    name: "compress-assets",
    apply: "build",
    writeBundle({ dir }) {
      if (dir === undefined) {
        throw new Error("compress-assets needs a folder to write to");
      }
      for (const file of readdirSync(dir, { recursive: true, encoding: "utf8" })) {
        if (!compressible.test(file)) {
          continue;
        }
        const path = join(dir, file);
        const text = readFileSync(path);
        writeFileSync(
          `${path}.br`,
          brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
        );
        writeFileSync(`${path}.gz`, gzipSync(text, { level: constants.Z_BEST_COMPRESSION }));
      }
    },
  };
}
