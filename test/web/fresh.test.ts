import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const built = mkdtempSync(join(tmpdir(), "modelscout-web-"));
afterAll(() => rmSync(built, { recursive: true, force: true }));

/**
 * The contents of a folder's files. Compressed files are compared by their text, because the same text can be
 * compressed in several ways.
 */
function contentsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    statSync(join(folder, file)).isFile(),
  );
  return Object.fromEntries(
    files.sort().map((file) => {
      const bytes = readFileSync(join(folder, file));
      if (file.endsWith(".br")) {
        return [file, brotliDecompressSync(bytes).toString("latin1")];
      }
      if (file.endsWith(".gz")) {
        return [file, gunzipSync(bytes).toString("latin1")];
      }
      return [file, bytes.toString("latin1")];
    }),
  );
}

test("web/dist is what the sources build; after a change of web/, gen/ or packages/client/ run npm run build:web", () => {
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const env = { ...process.env, NODE_ENV: "production" };
  const args = [vite, "build", "web", "--outDir", built, "--logLevel", "error"];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  const [committed, fresh] = [contentsOf(join(root, "web/dist")), contentsOf(built)];
  // Compares names first: they contain hashes, and a diff of whole scripts is not readable.
  expect(Object.keys(committed)).toEqual(Object.keys(fresh));
  const stale = Object.keys(fresh).filter((file) => committed[file] !== fresh[file]);
  expect(stale).toEqual([]);
});
