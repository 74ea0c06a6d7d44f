/**
 * Measures how good the answers are.
 *   npm run eval                    the suite on the starter catalogue, tasks, and APIBench if MODELSCOUT_SHARED has it
 *   npm run eval -- --misses 20     with up to 20 misses of APIBench, of the tasks and of the needs for one model
 *   npm run eval -- --ablation      with each part of a recommendation switched off in turn
 *   npm run eval -- --home FOLDER   with the order of boards' models in the inventory of another home, too
 *   npm run --silent eval -- --json as JSON
 * MODELSCOUT_SHARED names a folder with APIBench in apibench/ (docs/quality.md),
 * MODELSCOUT_ENCODER another encoder, MODELSCOUT_LLM_URL and MODELSCOUT_LLM_MODEL a language model that reads the needs.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ApibenchReport, runApibench } from "./apibench.ts";
import { type BoardReport, runBoards } from "./boards/run-boards.ts";
import { type ModelsReport, runModels } from "./models/run-models.ts";
import { percent } from "./percent.ts";
import { readings, recommendFrom } from "./recommend.ts";
import { renderTextTable } from "./render-table.ts";
import type { ScoreBand } from "./score-bands.ts";
import { propertyKinds } from "./suite/check-answer.ts";
import { runSuite, type SuiteReport } from "./suite/run-suite.ts";
import { runTaskSuite, type TasksReport } from "./tasks/run-tasks.ts";
import { variants } from "./variants.ts";
import { withEvalInventory, withHomeInventory } from "./with-inventory.ts";

interface Ablation {
  without: string;
  /** The share of the suite's properties that hold. */
  held: number;
  apibench?: Pick<ApibenchReport, "task1" | "task3" | "model1" | "model10">;
}

const correlations = ["quality", "qualityLeftOut", "balanced", "balancedLeftOut"] as const;

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    ablation: { type: "boolean", default: false },
    misses: { type: "string", default: "0" },
    home: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) {
  console.log("Usage: npm run eval [-- --json] [--ablation] [--misses COUNT] [--home FOLDER]; see docs/quality.md");
  process.exit(0);
}
const shared = process.env.MODELSCOUT_SHARED ?? "";
const folder = join(shared, "apibench");
const models = join(folder, "models.jsonl");
const isThere = existsSync(models) && existsSync(join(folder, "needs.dev.jsonl"));
const apibenchProblem =
  shared === ""
    ? "MODELSCOUT_SHARED names no folder with it"
    : isThere
      ? undefined
      : `${folder} has no models.jsonl and needs.dev.jsonl`;

const ablations: Ablation[] = values.ablation ? variants.map(({ name }) => ({ without: name, held: 0 })) : [];
const {
  suite,
  models: forModels,
  boards,
} = await withEvalInventory(undefined, async (inventory) => {
  const report = await runSuite(recommendFrom(inventory));
  for (const [i, ablation] of ablations.entries()) {
    const { held, total } = await runSuite((variants[i] as (typeof variants)[number]).without(inventory));
    ablation.held = held / total;
  }
  return { suite: report, models: await runModels(recommendFrom(inventory)), boards: await runBoards(inventory) };
});
const boardsOfHome = values.home === undefined ? undefined : await withHomeInventory(values.home, runBoards);
const tasks = runTaskSuite();
const apibench =
  apibenchProblem === undefined
    ? await withEvalInventory(models, async (inventory) => {
        const report = await runApibench(folder, recommendFrom(inventory));
        for (const [i, ablation] of ablations.entries()) {
          const { misses, scores, needs, ...figures } = await runApibench(
            folder,
            (variants[i] as (typeof variants)[number]).without(inventory),
          );
          ablation.apibench = figures;
        }
        return report;
      })
    : undefined;

if (values.json) {
  const misses = apibench?.misses.slice(0, Number(values.misses));
  console.log(
    JSON.stringify({
      suite: { ...suite, share: suite.held / suite.total },
      models: { ...forModels, misses: forModels.misses.slice(0, Number(values.misses)) },
      boards: { starter: boards, home: boardsOfHome },
      tasks: { ...tasks, misses: tasks.misses.slice(0, Number(values.misses)) },
      apibench: apibench && { ...apibench, misses },
      ablation: values.ablation ? ablations : undefined,
      readings: readings.size > 0 ? Object.fromEntries(readings) : undefined,
    }),
  );
} else {
  console.log(renderSuite(suite));
  console.log(`\n${renderModels(forModels)}`);
  console.log(`\n${renderBoards("starter catalogue", boards)}`);
  if (boardsOfHome !== undefined) {
    console.log(`\n${renderBoards("inventory of the home", boardsOfHome)}`);
  }
  console.log(`\n${renderTasks(tasks)}`);
  console.log(apibench === undefined ? `\nAPIBench: SKIPPED, ${apibenchProblem}` : `\n${renderApibench(apibench)}`);
  if (values.ablation) {
    console.log(`\n${renderAblations()}`);
  }
  if (readings.size > 0) {
    const counts = [...readings].map(([outcome, count]) => `${outcome} ${count}`).join(", ");
    console.log(`\nReadings by the language model: ${counts}`);
  }
}

function renderSuite(report: SuiteReport): string {
  const rows = report.kinds
    .filter(({ total }) => total > 0)
    .map(({ kind, held, total }) => [`${kind}: ${propertyKinds[kind]}`, `${held}/${total}`, percent(held, total)]);
  const all = ["all", `${report.held}/${report.total}`, percent(report.held, report.total)];
  const misses = report.misses.map(
    ({ need, kind, expected, came, understood, score }) =>
      `- ${need}\n    ${kind}: expected ${expected}\n    actual: ${came || "nothing"}\n    first score ${score?.toFixed(2) ?? "none"}; understood ${understood || "nothing"}`,
  );
  return [
    `${report.needs} needs on the starter catalogue; every property held for ${report.whole}`,
    "",
    renderTextTable(["property", "held", ""], [...rows, all]),
    "",
    renderScores("first results that do the task and are not outdated", report.scores),
    "",
    `${misses.length} misses`,
    ...misses,
  ].join("\n");
}

function renderModels({ needs, model1, model3, model10, misses }: ModelsReport): string {
  const shares = [model1, model3, model10].map((share) => share.toFixed(3));
  return [
    renderTextTable([`${needs} needs for one model`, "model@1", "model@3", "model@10"], [["modelscout", ...shares]]),
    ...misses.slice(0, Number(values.misses)),
  ].join("\n");
}

function renderBoards(title: string, reports: readonly BoardReport[]): string {
  const rows = reports.map((report) => [
    report.board,
    String(report.models),
    ...correlations.map((name) => report[name].toFixed(2)),
  ]);
  const means = correlations.map((name) =>
    (reports.reduce((sum, report) => sum + report[name], 0) / reports.length).toFixed(2),
  );
  const reached = correlations.map((name) => String(reports.filter((report) => report[name] >= 0.6).length));
  return renderTextTable(
    [`boards, ${title}`, "models", "quality", "left out", "balanced", "left out"],
    [...rows, ["mean", "", ...means], ["boards with 0.6 or more", "", ...reached]],
  );
}

function renderTasks(report: TasksReport): string {
  const shares = [report.task1, report.task3, report.doubted, report.logLoss].map((figure) => figure.toFixed(3));
  const needs = report.served + report.unserved;
  return [
    renderTextTable(
      [`${needs} needs, from their words alone`, "task@1", "task@3", "doubted", "log loss"],
      [["modelscout", ...shares]],
    ),
    ...report.misses
      .slice(0, Number(values.misses))
      .map(({ need, expected, understood }) => `- ${need}\n    expected ${expected}; understood ${understood}`),
  ].join("\n");
}

function renderApibench(report: ApibenchReport): string {
  const share = (figure: number) => figure.toFixed(3);
  return [
    renderTextTable(
      [`APIBench, ${report.needs} needs`, "task@1", "task@3", "model@1", "model@10"],
      [
        ["modelscout", share(report.task1), share(report.task3), share(report.model1), share(report.model10)],
        ["BM25, by APIBench's authors", "0.20", "", "0.04", ""],
        ["ada-002 embeddings, by its authors", "0.49", "", "0.16", ""],
        ["7B language model fine-tuned on 8,000 of its pairs (all 911 needs)", "0.72", "", "", ""],
      ],
    ),
    "",
    renderScores("first results with the right task", report.scores),
    ...report.misses.slice(0, Number(values.misses)),
  ].join("\n");
}

function renderScores(title: string, bands: readonly ScoreBand[]): string {
  const rows = bands
    .filter(({ total }) => total > 0)
    .map(({ from, suits, total }) => [`score from ${from.toFixed(2)}`, `${suits}/${total}`, percent(suits, total)]);
  return renderTextTable([title, "", ""], rows);
}

function renderAblations(): string {
  const all: Ablation = { without: "(nothing)", held: suite.held / suite.total, apibench };
  const rows = [all, ...ablations].map(({ without, held, apibench: figures }) => [
    without,
    percent(held, 1),
    ...(["task1", "model1", "model10"] as const).map((name) => figures?.[name].toFixed(3) ?? ""),
  ]);
  return renderTextTable(["without", "suite", "task@1", "model@1", "model@10"], rows);
}
