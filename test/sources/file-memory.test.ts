import { spawnSync } from "node:child_process";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "modelscout-memory-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MODELS = 40_000;

it("A compressed file of 240 MB is read in a process with 48 MB of heap", async () => {
  const path = join(folder, "big.jsonl.gz");
  const lines = function* () {
    for (let i = 0; i < MODELS; i++) {
      yield `${JSON.stringify({ name: `acme/model-${i}`, card: "word ".repeat(1_200) })}\n`;
    }
  };
  await pipeline(Readable.from(lines()), createGzip({ level: 1 }), createWriteStream(path));
  const reader = `
    import { readRecords } from ${JSON.stringify(new URL("../../src/sources/file.ts", import.meta.url).href)};
    let count = 0;
    for await (const record of readRecords(process.argv[1])) if (record.card.length > 5_000) count++;
    console.log(count);
  `;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--max-old-space-size=48", "--input-type=module", "--eval", reader, path],
    { encoding: "utf8" },
  );
  expect({ stdout, stderr }).toEqual({ stdout: `${MODELS}\n`, stderr: "" });
});
