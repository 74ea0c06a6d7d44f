import { gradeOf, purposes } from "../../src/catalogue/index.ts";
import { type HardwareClass, hardwareClasses } from "../../src/hardware/index.ts";
import type { Model } from "../../src/inventory/facts/model.ts";
import { isTaskType, taskTypeOf } from "../../src/inventory/facts/task-types.ts";
import { licenseAllows } from "../../src/inventory/licenses/licenses.ts";
import { smallestSizeGb } from "../../src/inventory/table/filter.ts";
import type { Recommendation } from "../../src/recommend/recommend.ts";
import { cardOf } from "../../src/recommend/score/card-of.ts";
import { sizeModel } from "../../src/recommend/score/sizing.ts";
import type { EvalNeed } from "./need.ts";

/** Kinds of properties with their meanings, in the order of the table. */
export const propertyKinds = {
  task: "the first result does the task",
  "tasks below": "the second and third result do the task",
  "expected model": "an expected model is in the top five",
  "expected first": "the first result is one that an adviser names",
  "explicit field": "all results meet an explicit field",
  "wish: license": "the first results have the wished licence",
  "wish: language": "the first results support the wished languages",
  "wish: size": "the first results have the wished size",
  "wish: hardware": "the first results run on the wished hardware",
  "wish: context": "the first results have the wished context length",
  "both tasks": "the top five serve each part of the need",
  "left out": "excluded things are not in the answer",
  freshness: "nothing outdated is first",
  economy: "the first three are not too large for the task",
  large: "the first result is as large as wished",
  "score: served": "the first score is at least 0.3 if the catalogue serves the need",
  "score: unserved": "every score is below 0.5 if it does not",
} as const;

export type PropertyKind = keyof typeof propertyKinds;

/** The result of one property of a need. */
export interface Check {
  kind: PropertyKind;
  held: boolean;
  /** The expected value. */
  expected: string;
  /** The actual value, if it is another one. */
  came: string;
}

/** Below this score a model is doubtful; a need that nothing serves gets no more. */
const SUITS = 0.5;
/** The least first score for a need that the catalogue serves: from here on an answer calls a model suitable. */
const SERVED = 0.3;
const FIRST_PICKS = 3;

/** Checks every property that the need states. */
export function checkAnswer(need: EvalNeed, { results }: { results: readonly Recommendation[] }): Check[] {
  const checks: Check[] = [];
  const check = (
    kind: PropertyKind,
    expected: string,
    wrong: ReadonlyArray<Recommendation | undefined>,
    show = describe,
  ) => checks.push({ kind, held: wrong.length === 0, expected, came: wrong.map((pick) => show(pick)).join(", ") });
  // A missing result is wrong too.
  const depth = need.depth ?? FIRST_PICKS;
  const [first, ...below] = Array.from({ length: depth }, (_, i) => results[i]);
  const failing = (picks: ReadonlyArray<Recommendation | undefined>, keeps: (pick: Recommendation) => boolean) =>
    picks.filter((pick) => pick === undefined || !keeps(pick));

  if (need.unserved) {
    check(
      "score: unserved",
      `scores below ${SUITS}`,
      results.filter((pick) => pick.score >= SUITS).slice(0, 1),
      scored,
    );
    return checks;
  }
  const { tasks, also = [], wishes = {}, fields = {} } = need;
  if (tasks !== undefined) {
    check(
      "task",
      tasks.join(" or "),
      failing([first], ({ model }) => serves(model, tasks)),
    );
    const allowed = [...tasks, ...also];
    if (below.length > 0) {
      check(
        "tasks below",
        allowed.join(" or "),
        failing(below, ({ model }) => serves(model, allowed)),
      );
    }
  }
  check(
    "score: served",
    `at least ${SERVED}`,
    failing(results.slice(0, 1), ({ score }) => score >= SERVED),
    scored,
  );
  if (need.models !== undefined) {
    const wanted = anyName(need.models);
    const found = results.some(({ model }) => wanted.test(model.key));
    check("expected model", need.models.join(" or "), found ? [] : results);
  }
  if (need.first !== undefined) {
    const wanted = anyName(need.first);
    check(
      "expected first",
      need.first.join(" or "),
      failing([first], ({ model }) => wanted.test(model.key)),
    );
  }
  for (const [field, value] of Object.entries(fields)) {
    const keeps = keepsField[field as keyof typeof keepsField] as (pick: Recommendation, value: unknown) => boolean;
    check(
      "explicit field",
      `${field} ${value}`,
      failing(results.length === 0 ? [undefined] : results, (pick) => keeps(pick, value)),
    );
  }
  const picks = [first, ...below];
  const { license, languages, maxGb, hardware, minContext } = wishes;
  if (license !== undefined) {
    const show = (pick: Recommendation | undefined) => `${describe(pick)} ${pick?.model.license ?? "licence unknown"}`;
    check(
      "wish: license",
      license,
      failing(picks, ({ model }) => keepsLicense(model, license)),
      show,
    );
  }
  if (languages !== undefined) {
    const show = (pick: Recommendation | undefined) =>
      `${describe(pick)} ${pick?.model.languages.slice(0, 4).join("/") || "unknown"}`;
    check(
      "wish: language",
      languages.join(" and "),
      failing(picks, ({ model }) => speaks(model, languages)),
      show,
    );
  }
  if (maxGb !== undefined) {
    const show = (pick: Recommendation | undefined) => `${describe(pick)} ${pick && smallestSizeGb(pick.model)} GB`;
    const small = ({ model }: Recommendation) => (smallestSizeGb(model) ?? Number.POSITIVE_INFINITY) <= maxGb;
    check("wish: size", `at most ${maxGb} GB`, failing(picks, small), show);
  }
  if (hardware !== undefined) {
    check(
      "wish: hardware",
      hardware,
      failing(picks, ({ model }) => runsOn(model, hardware)),
    );
  }
  if (minContext !== undefined) {
    const long = ({ model }: Recommendation) => (model.contextLength ?? 0) >= minContext;
    check("wish: context", `at least ${minContext} tokens`, failing(picks, long));
  }
  for (const part of need.parts ?? []) {
    const served = results.some(({ model }) => serves(model, part));
    check("both tasks", part.join(" or "), served ? [] : results);
  }
  if (need.without !== undefined) {
    const { without } = need;
    const wrong = results.slice(0, FIRST_PICKS).filter(({ model }) => serves(model, without));
    check("left out", `no ${without.join(", ")}`, wrong);
  }
  if (need.never !== undefined) {
    const unwanted = anyName(need.never);
    check(
      "left out",
      `no ${need.never.join(", ")}`,
      results.filter(({ model }) => unwanted.test(model.key)),
    );
  }
  if (need.outdated !== undefined) {
    const outdated = anyName(need.outdated);
    check(
      "freshness",
      "newer",
      results.slice(0, 1).filter(({ model }) => outdated.test(model.key)),
    );
  }
  if (need.maxBillions !== undefined) {
    const most = need.maxBillions * 1e9;
    const large = results.slice(0, FIRST_PICKS).filter(({ model }) => (model.parameters ?? 0) > most);
    check("economy", `at most ${need.maxBillions}B`, large);
  }
  if (need.minBillions !== undefined) {
    const least = need.minBillions * 1e9;
    check(
      "large",
      `at least ${need.minBillions}B`,
      failing([first], ({ model }) => (model.parameters ?? 0) >= least),
    );
  }
  return checks;
}

const keepsField: {
  [Field in keyof Required<EvalNeed>["fields"]]-?: (
    pick: Recommendation,
    value: NonNullable<Required<EvalNeed>["fields"][Field]>,
  ) => boolean;
} = {
  taskType: ({ model }, type) => serves(model, [type]),
  maxSizeGb: ({ sizing }, most) => (sizing?.variant.sizeGb ?? Number.POSITIVE_INFINITY) <= most,
  hardware: ({ sizing }, hardware) => sizing?.device.name === hardware && isFit(sizing.estimate.fit),
  license: ({ model }, license) => keepsLicense(model, license),
  languages: ({ model }, languages) => speaks(model, languages),
  minContextLength: ({ model }, least) => (model.contextLength ?? 0) >= least,
};

/**
 * Whether the model does one of the tasks (labels or task types): by its own labels, or by a purpose of this task that
 * the catalogue says it serves well. A current chat model summarises and translates, whatever its label.
 */
export function serves(model: Model, tasks: readonly string[]): boolean {
  const labels = [...model.labels, ...taskOfPurposes(model)];
  return tasks.some((task) =>
    isTaskType(task) && task !== "other"
      ? model.types.includes(task) || labels.some((label) => taskTypeOf(label) === task)
      : labels.includes(task) || (task === "other" && model.types.includes("other")),
  );
}

/** The first task of each purpose that the model's card lists with a 2 or 3. */
function taskOfPurposes(model: Model): string[] {
  const known = purposes();
  const card = cardOf(model);
  const listed = Object.keys(card?.purposes ?? {}).filter((id) => gradeOf(card, id) >= 2);
  return listed.flatMap((id) => known.get(id)?.tasks[0] ?? []);
}

function keepsLicense({ license }: Model, wanted: string): boolean {
  return licenseAllows(license, wanted);
}

/** Whether the sources list the languages, or the catalogue does where the sources list none. */
function speaks(model: Model, wanted: readonly string[]): boolean {
  const graded = model.languages.length === 0 ? cardOf(model)?.languages : undefined;
  return wanted.every((code) => model.languages.includes(code) || (graded?.[code] ?? graded?.mul ?? 0) >= 2);
}

function runsOn(model: Model, hardware: string): boolean {
  const sizing = sizeModel(model, { device: hardwareClasses[hardware as HardwareClass] });
  return sizing !== undefined && isFit(sizing.estimate.fit);
}

function isFit(fit: string): boolean {
  return fit === "fits" || fit === "tight";
}

/** One of the names, letter case ignored, with * for any text. */
function anyName(patterns: readonly string[]): RegExp {
  const escaped = patterns.map((pattern) =>
    pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&")),
  );
  return new RegExp(`^(?:${escaped.map((parts) => parts.join(".*")).join("|")})$`, "i");
}

function describe(pick: Recommendation | undefined): string {
  return pick === undefined ? "nothing" : `${pick.model.name} (${pick.model.labels[0] ?? "no task"})`;
}

function scored(pick: Recommendation | undefined): string {
  return pick === undefined ? "nothing" : `${describe(pick)} ${pick.score.toFixed(2)}`;
}
