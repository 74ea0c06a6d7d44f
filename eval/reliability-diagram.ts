/**
 * Draws docs/quality-reliability.svg from the table of scores and good answers in docs/quality.md.
 *   node eval/reliability-diagram.ts
 */
import { readFileSync, writeFileSync } from "node:fs";

const page = new URL("../docs/quality.md", import.meta.url);
const picture = new URL("../docs/quality-reliability.svg", import.meta.url);

/** Answers whose scores are in one tenth of the scale. */
interface Bin {
  answers: number;
  /** 0 to 1. */
  meanScore: number;
  /** The share of the answers that are good choices, 0 to 1. */
  good: number;
}

/** Reads the bins from the first table of the page that has them. @throws Error if a row is missing. */
export function readBins(markdown: string): Bin[] {
  const row = (title: string) => {
    const line = markdown.split("\n").find((each) => each.startsWith(`| ${title} `));
    if (line === undefined) {
      throw new Error(`docs/quality.md has no row "${title}"`);
    }
    return line.split("|").slice(2, -1).map(Number);
  };
  const [answers, meanScores, good] = [row("answers"), row("mean score"), row("share of good answers")];
  return answers.map((count, bin) => ({
    answers: count,
    meanScore: meanScores[bin] as number,
    good: good[bin] as number,
  }));
}

const LEFT = 60;
const TOP = 50;
const SIDE = 320;
const across = (value: number) => round(LEFT + SIDE * value);
const up = (value: number) => round(TOP + SIDE * (1 - value));
const round = (value: number) => Math.round(10 * value) / 10;

/** Draws bins as circles; the area of a circle stands for the number of answers. */
export function drawReliability(bins: readonly Bin[]): string {
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (value) => `<path class="grid" d="M${across(value)} ${TOP}V${TOP + SIDE}M${LEFT} ${up(value)}H${LEFT + SIDE}"/>
<text x="${across(value)}" y="${TOP + SIDE + 20}" text-anchor="middle">${value}</text>
<text x="${LEFT - 8}" y="${up(value) + 4}" text-anchor="end">${value}</text>`,
  );
  const circles = bins.map(({ answers, meanScore, good }) => {
    const title = `<title>${answers} answers with a mean score of ${meanScore}: ${good} are good</title>`;
    return `<circle cx="${across(meanScore)}" cy="${up(good)}" r="${round(1.2 * Math.sqrt(answers))}">${title}</circle>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + SIDE + 30} ${TOP + SIDE + 60}" role="img" font-family="sans-serif" font-size="12" fill="#333">
<title>The share of good answers by score</title>
<style>.grid{stroke:#ddd}circle{fill:#1f5fa8;fill-opacity:.75}</style>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${LEFT}" y="28" font-size="14">Share of good answers by score</text>
${grid.join("\n")}
<path d="M${across(0)} ${up(0)}L${across(1)} ${up(1)}" stroke="#b3541e" stroke-dasharray="4 4"/>
${circles.join("\n")}
<text x="${across(0.5)}" y="${TOP + SIDE + 44}" text-anchor="middle">mean score</text>
</svg>
`;
}

if (import.meta.main) {
  writeFileSync(picture, drawReliability(readBins(readFileSync(page, "utf8"))));
}
