import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { lines, readRecords, type SkippedLine } from "../../src/sources/file.ts";

const folder = mkdtempSync(join(tmpdir(), "modelscout-file-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
async function read(content: string | Uint8Array, suffix = ".jsonl") {
  const path = join(folder, `${files++}${suffix}`);
  writeFileSync(path, content);
  const skipped: SkippedLine[] = [];
  const names: string[] = [];
  for await (const { name } of readRecords(path, { onSkip: (line) => void skipped.push(line) })) {
    names.push(name);
  }
  return { names, skipped };
}

const line = (name: string) => JSON.stringify({ name });

describe("A file", () => {
  it.each([
    ["lines", `${line("a/1")}\n${line("a/2")}\n`],
    ["a last line without a line feed", `${line("a/1")}\n${line("a/2")}`],
    ["the line ends of Windows", `${line("a/1")}\r\n${line("a/2")}\r\n`],
    ["a byte order mark", `\uFEFF${line("a/1")}\n${line("a/2")}`],
    ["blank lines", `\n\n${line("a/1")}\n  \t\n\r\n${line("a/2")}\n\n`],
    ["blanks around objects", `  ${line("a/1")}  \n\t${line("a/2")}\r\n`],
  ])("is read with %s", async (_what, content) => {
    expect(await read(content)).toEqual({ names: ["a/1", "a/2"], skipped: [] });
  });

  it.each([
    ["a list in one line", `[${line("a/1")},${line("a/2")}]`],
    ["a list over lines", `\n[\n${line("a/1")},\n${line("a/2")}\n]`],
  ])("that is %s is refused at once, with what would be right", async (_what, content) => {
    await expect(read(content)).rejects.toThrow(
      "not JSON Lines, which has one object in each line; jq --compact-output '.[]' converts it",
    );
  });

  it.each([
    ["over lines", JSON.stringify({ name: "a/1", tags: ["x"] }, null, 2)],
    ["over lines, after blank ones", `\uFEFF\n\r\n{\r\n\t"name": "a/1"\r\n}`],
  ])("that has an object %s is refused before any line is reported", async (_what, content) => {
    const path = join(folder, `${files++}.json`);
    writeFileSync(path, content);
    const skipped: SkippedLine[] = [];
    const reading = readRecords(path, { onSkip: (line) => void skipped.push(line) })[Symbol.asyncIterator]();
    await expect(reading.next()).rejects.toThrow("one object in each line; jq --compact-output . converts it");
    expect(skipped).toEqual([]);
  });

  it("may begin with a lone brace that is a bad line", async () => {
    const skips = (...at: number[]) => at.map((line) => expect.objectContaining({ line }));
    expect(await read("{")).toEqual({ names: [], skipped: skips(1) });
    expect(await read(`{\n\n${line("a/1")}`)).toEqual({ names: ["a/1"], skipped: skips(1) });
    expect(await read(`{\n{\n${line("a/1")}\n"x"`)).toEqual({ names: ["a/1"], skipped: skips(1, 2, 4) });
  });

  it("may be empty", async () => {
    expect(await read("")).toEqual({ names: [], skipped: [] });
    expect(await read("\n\r\n \n")).toEqual({ names: [], skipped: [] });
  });

  it("reports every bad line with its number and reason, and returns the others", async () => {
    const bad: Array<[content: string | Uint8Array, reason: RegExp]> = [
      ["{", /^is not JSON: /],
      ['{"name":"a/x",}', /^is not JSON: /],
      ['{"name":"a/x"} {"name":"a/y"}', /^is not JSON: /],
      ["[]", /object/],
      ['"a/x"', /object/],
      ["null", /object/],
      ["NaN", /^is not JSON: /],
      ["{}", /^name: /],
      ['{"name":"one"}', /^name: must be owner\/model/],
      ['{"name":"a/x","size_gb":1e400}', /^size_gb: /],
      [Buffer.from('{"name":"a/\xff"}', "latin1"), /^is not UTF-8$/],
      [Buffer.from([0xed, 0xa0, 0x80]), /^is not UTF-8$/],
      [`{"name":"a/x","card":"${"x".repeat(2_100_000)}"}`, /^is longer than [\d,]+ /],
      ["\0", /^is not JSON: /],
    ];
    const content = bad.flatMap(([text], i) => [Buffer.from(text as string), Buffer.from(`\n${line(`good/${i}`)}\n`)]);
    const { names, skipped } = await read(Buffer.concat(content));
    expect(names).toEqual(bad.map((_, i) => `good/${i}`));
    expect(skipped).toEqual(bad.map(([, reason], i) => ({ line: 2 * i + 1, reason: expect.stringMatching(reason) })));
  });

  it("counts blank lines in line numbers", async () => {
    expect((await read(`\n\n{\n`)).skipped).toMatchObject([{ line: 3 }]);
  });

  it("reports the number of a bad last line, too long or cut off", async () => {
    expect((await read(`${line("a/1")}\n{"na`)).skipped).toMatchObject([{ line: 2 }]);
    expect((await read(`${line("a/1")}\n${"x".repeat(3_000_000)}`)).skipped).toMatchObject([
      { line: 2, reason: expect.stringMatching(/^is longer/) },
    ]);
  });

  it("is decompressed if its name ends in .gz", async () => {
    const content = `${line("a/1")}\n${line("a/2")}`;
    expect(await read(gzipSync(content), ".jsonl.gz")).toEqual({ names: ["a/1", "a/2"], skipped: [] });
    const members = Buffer.concat([gzipSync(`${line("a/1")}\n`), gzipSync(line("a/2"))]);
    expect(await read(members, ".gz")).toEqual({ names: ["a/1", "a/2"], skipped: [] });
  });

  it.each([
    ["something else", brotliCompressSync(line("a/1"))],
    [
      "a cut file",
      gzipSync(Array.from({ length: 2_000 }, (_, i) => line(`a/${i}${Math.sin(i)}`)).join("\n")).subarray(0, 2_000),
    ],
    ["plain text", Buffer.from(line("a/1"))],
  ])("fails if .gz is wrong: %s", async (_what, content) => {
    await expect(read(content, ".gz")).rejects.toThrow();
  });

  it("fails if it does not exist", async () => {
    const reading = readRecords(join(folder, "missing.jsonl"))[Symbol.asyncIterator]();
    await expect(reading.next()).rejects.toThrow(/ENOENT/);
  });

  it("need not be read to its end", async () => {
    const path = join(folder, "long.jsonl");
    writeFileSync(path, `${line("a/1")}\n`.repeat(50_000));
    for await (const { name } of readRecords(path)) {
      expect(name).toBe("a/1");
      break;
    }
  });

  it("reports how much was read, in bytes on disk", async () => {
    const content = gzipSync(`${line("a/1")}\n`.repeat(100_000));
    const path = join(folder, "progress.gz");
    writeFileSync(path, content);
    const progress: number[] = [];
    for await (const _ of readRecords(path, { onBytes: (bytes) => void progress.push(bytes) })) {
      // Only the progress matters.
    }
    expect(progress.at(-1)).toBe(content.length);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
  });
});

describe("Lines", () => {
  it("are the same however the bytes are split into chunks", async () => {
    const text = fc
      .array(
        fc.oneof(fc.constantFrom("\n", "\r\n", "🦜", "é", "", "\r"), fc.string({ unit: "grapheme", maxLength: 8 })),
        { maxLength: 30 },
      )
      .map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat({ max: 60 }), { maxLength: 8 }), async (content, cuts) => {
        const bytes = Buffer.from(content);
        const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((place, i) => bytes.subarray(places[i], place));
        const found: string[] = [];
        for await (const one of lines(streamOf(chunks), 1_000)) {
          found.push((one as Buffer).toString("utf8"));
        }
        const expected = content.split("\n");
        if (expected.at(-1) === "") {
          expected.pop();
        }
        expect(found.map((one) => one.replace(/\r$/, ""))).toEqual(expected.map((one) => one.replace(/\r$/, "")));
      }),
    );
  });

  it("that are too long are reported at any position, and the next ones are complete", async () => {
    const chunks = ["ok\n", "x".repeat(8), "x".repeat(8), "\nnext\n12345678\n123456789\nlast"].map((text) =>
      Buffer.from(text),
    );
    const found: Array<string | undefined> = [];
    for await (const one of lines(streamOf(chunks), 8)) {
      found.push(one?.toString());
    }
    expect(found).toEqual(["ok", undefined, "next", "12345678", undefined, "last"]);
  });
});

async function* streamOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
