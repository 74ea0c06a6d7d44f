/**
 * Makes src/evaluations/bundled/ of a folder of the boards' own files: the figures that are shipped, and their NOTICE.
 *
 * Usage: node scripts/build-evaluations.ts FOLDER
 *
 * FOLDER has the files of `boardFiles` (src/evaluations/forms/board-files.ts), as their publishers name them or as
 * `sources.json` says they were reduced. Set commit and day of each source in src/evaluations/bundled/sources.json first.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { type BundledBoard, type BundledFigure, bundledFile, bundledLines } from "../src/evaluations/bundled.ts";
import { boardFiles } from "../src/evaluations/forms/board-files.ts";
import { BoardFormError, type PlacedBoard } from "../src/evaluations/forms/place-models.ts";
import { openLicenses } from "../src/evaluations/registry.ts";

interface BoardSource {
  repository: string;
  commit: string;
  /** The day of the figures: YYYY-MM-DD. */
  as_of: string;
  /** The days of files whose figures are older. */
  days?: Readonly<Record<string, string>>;
  license: string;
  copyright: string;
  changed: string;
}

/** Most bytes of the file: it is in every package. */
const MOST_BYTES = 1_000_000;

const bundle = resolve(import.meta.dirname, "../src/evaluations/bundled");

/** Reads all boards of a folder. @throws an error that names the file and what is wrong with it. */
export function readBoards(
  folder: string,
  sources: Readonly<Record<string, BoardSource>> = readSources(),
): PlacedBoard[] {
  const problems: string[] = [];
  const boards: PlacedBoard[] = [];
  for (const { file, publisher, isOptional, read } of boardFiles) {
    const { as_of, days, license } = sources[publisher] as BoardSource;
    if (!openLicenses.has(license)) {
      problems.push(`${file} is under ${license}, which does not allow figures to be kept and shown; leave it out`);
      continue;
    }
    const path = join(folder, file);
    if (!existsSync(path)) {
      if (!isOptional) {
        problems.push(`${file} is missing`);
      }
      continue;
    }
    try {
      const known = boards.flatMap(({ figures }) => [...figures.keys()]);
      boards.push(...read(readFileSync(path, "utf8"), { asOf: days?.[file] ?? as_of, known }));
    } catch (error) {
      if (!(error instanceof BoardFormError)) {
        throw error;
      }
      problems.push(`${file} ${error.message}`);
    }
  }
  if (problems.length > 0) {
    throw new BoardFormError(`Nothing is written:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
  }
  return boards;
}

/** The file's content: one line for the boards, one for each model. */
export function bundleOf(boards: readonly PlacedBoard[]): { text: string; models: number; figures: number } {
  const listed: BundledBoard[] = [];
  const models = new Map<string, BundledFigure[]>();
  let figures = 0;
  for (const { board: id, of, figures: ofModels } of boards) {
    const days = [...ofModels.values()].map(({ as_of: asOf }) => asOf ?? "").sort();
    // Most figures have the board's day, and need not repeat it.
    const asOf = mostFrequent(days);
    const index = listed.push({ id, of, as_of: asOf }) - 1;
    for (const [model, { value, place, as_of: own, evidence, url }] of ofModels) {
      const differs = {
        ...(own !== asOf && { as_of: own }),
        ...(evidence !== "measured" && { evidence }),
        ...(url !== undefined && { url }),
      };
      const key = model.toLowerCase();
      const figure: BundledFigure = [
        index,
        value,
        place ?? null,
        ...(Object.keys(differs).length > 0 ? [differs] : []),
      ] as BundledFigure;
      models.set(key, [...(models.get(key) ?? []), figure]);
      figures++;
    }
  }
  return { text: bundledLines(listed, models), models: models.size, figures };
}

function mostFrequent(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? "";
}

/** The NOTICE of what is shipped: source, commit, day, licence and what was changed. */
export function noticeOf(sources: Readonly<Record<string, BoardSource>>): string {
  const parts = Object.entries(sources).map(
    ([name, { repository, commit, as_of: asOf, days = {}, license, copyright, changed }]) =>
      `## ${name}\n\n- Source: ${repository}, commit ${commit}\n- Figures of ${[asOf, ...Object.entries(days).map(([file, day]) => `${day} (${file})`)].join(", ")}\n- Licence: ${license}\n- Copyright: ${copyright}\n- Changes: ${changed} Models are joined by their id on the Hugging Face Hub, and places are counted.\n`,
  );
  const files = Object.values(sources).some(({ license }) => license === "MIT") ? `\n${mitText}` : "";
  return `# Notice\n\n\`evaluations.jsonl.gz\` holds figures that others measured and published under licences that allow redistribution with\nattribution. modelscout measured none of them. \`node scripts/build-evaluations.ts\` makes the file and this notice.\n\n${parts.join("\n")}${files}`;
}

const mitText = `## Licence texts

Apache-2.0 is in the file LICENSE of this project. CC0-1.0 asks for nothing. The MIT licence reads:

> Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
> documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
> rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
> persons to whom the Software is furnished to do so, subject to the following conditions:
>
> The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
> Software.
>
> THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
> WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
> COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
> OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;

export function readSources(): Record<string, BoardSource> {
  return JSON.parse(readFileSync(join(bundle, "sources.json"), "utf8"));
}

/** What is wrong with a folder is for whoever made it, without a stack. */
function readOrExit(folder: string): PlacedBoard[] {
  try {
    return readBoards(folder);
  } catch (error) {
    if (!(error instanceof BoardFormError)) {
      throw error;
    }
    console.error(error.message);
    process.exit(1);
  }
}

if (import.meta.main) {
  const folder = process.argv[2];
  if (folder === undefined || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    console.error(`Usage: node ${basename(import.meta.filename)} FOLDER\nFOLDER has the boards' own files.`);
    process.exit(2);
  }
  const boards = readOrExit(folder);
  for (const { file, isOptional } of boardFiles) {
    if (isOptional && !existsSync(join(folder, file))) {
      console.error(`${file} is missing, so its figures are left out`);
    }
  }
  const { text, models, figures } = bundleOf(boards);
  const packed = gzipSync(text, { level: 9 });
  if (packed.length > MOST_BYTES) {
    throw new Error(`The figures take ${packed.length} bytes, more than the ${MOST_BYTES} that a package may hold`);
  }
  writeFileSync(bundledFile, packed);
  writeFileSync(join(bundle, "NOTICE.md"), noticeOf(readSources()));
  console.log(
    `${boards.length} boards, ${models} models, ${figures} figures, ${packed.length} bytes (${text.length} unpacked)`,
  );
}
