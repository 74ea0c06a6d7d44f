import { featureNames } from "../../src/recommend/score/features/features.ts";
import {
  createRankingModel,
  logistic,
  type RankingModelFile,
} from "../../src/recommend/score/learned/ranking-model.ts";
import { random } from "../numbers/random.ts";
import { type BoostOptions, boost, type Table } from "./boosted-trees.ts";
import { type RankingExamples, WORTHS } from "./examples.ts";

/** The weight of a model that no grader saw. */
const UNSEEN_WEIGHT = 0.5;
/**
 * The factor of the weights for a need that no model serves. Scores of such needs are more often below 0.5 with it than
 * without (0.753 and 0.728 of them in cross-validation), and the order of the other needs stays as good.
 */
const UNSERVED_FACTOR = 1.5;

const options: Omit<BoostOptions, "random"> = {
  trees: 220,
  depth: 6,
  // The matching of many needs has a bit for each leaf in 32 bits.
  leaves: 32,
  rate: 0.07,
  leastWeight: 3,
  shrink: 3,
  featureShare: 0.6,
};

/** The examples of some needs. */
export function pick(
  { table, grades, seen, hidden, starts }: RankingExamples,
  needs: readonly number[],
): RankingExamples {
  const rows = needs.flatMap((need) => {
    const first = starts[need] as number;
    return Array.from({ length: (starts[need + 1] as number) - first }, (_, k) => first + k);
  });
  const values = new Float32Array(rows.length * table.columns);
  for (const [at, row] of rows.entries()) {
    values.set(table.values.subarray(row * table.columns, (row + 1) * table.columns), at * table.columns);
  }
  let end = 0;
  return {
    table: { rows: rows.length, columns: table.columns, values },
    grades: Uint8Array.from(rows, (row) => grades[row] as number),
    seen: Uint8Array.from(rows, (row) => seen[row] as number),
    hidden: Uint8Array.from(rows, (row) => hidden[row] as number),
    starts: [0, ...needs.map((need) => (end += (starts[need + 1] as number) - (starts[need] as number)))],
  };
}

/**
 * The weight of the order in the loss, beside the weight 1 of the chance. Of 0, 0.3, 0.5 and 1, 0.3 orders best in
 * cross-validation; with more, fewer needs that no model serves are doubted.
 */
const ORDER_WEIGHT = 0.3;

/**
 * Trains the trees. The loss has two parts: the logistic loss of each row against the worth of its grade, and for each
 * need the loss of LambdaRank (Burges 2010, "From RankNet to LambdaRank to LambdaMART"), which counts a pair in the wrong
 * order by how much nDCG@5 loses with it.
 */
export function trainTrees(
  { table, grades, seen, hidden, starts }: RankingExamples,
  seed: number,
  more: Partial<BoostOptions> = {},
): RankingModelFile {
  const targets = Float64Array.from(grades, (grade) => WORTHS[grade as 0 | 1 | 2 | 3]);
  const weights = Float64Array.from(seen, (isSeen) => (isSeen ? 1 : UNSEEN_WEIGHT));
  // Models with and without cards are seldom in one inventory, so each kind has an order of its own.
  const ordered = starts.slice(0, -1).flatMap((first, need) => {
    const rows = Array.from({ length: (starts[need + 1] as number) - first }, (_, k) => first + k);
    return [0, 1].map((kind) => Int32Array.from(rows.filter((row) => hidden[row] === kind)));
  });
  for (const [need, first] of starts.slice(0, -1).entries()) {
    const end = starts[need + 1] as number;
    if (grades.subarray(first, end).every((grade) => grade === 0)) {
      weights.subarray(first, end).forEach((weight, k) => {
        weights[first + k] = UNSERVED_FACTOR * weight;
      });
    }
  }
  const ideals = ordered.map((rows) => dcgOf([...rows].map((row) => grades[row] as number).sort((a, b) => b - a)));
  const trees = boost(
    table,
    (sums, gradient, curvature) => {
      for (let row = 0; row < sums.length; row++) {
        const share = logistic(sums[row] as number);
        gradient[row] = (weights[row] as number) * (share - (targets[row] as number));
        curvature[row] = Math.max(1e-6, (weights[row] as number) * share * (1 - share));
      }
      for (const [place, rows] of ordered.entries()) {
        const ideal = ideals[place] as number;
        if (ideal > 0) {
          addOrderLoss(rows.toSorted(bySum(sums)), { grades, weights, ideal }, { sums, gradient, curvature });
        }
      }
    },
    { ...options, ...more, random: random(seed) },
  );
  return { features: featureNames, trees, slope: 1, offset: 0, unlisted: { slope: 1, offset: 0, text: 0, task: 0 } };
}

const bySum = (sums: Float64Array) => (a: number, b: number) => (sums[b] as number) - (sums[a] as number);

/** Adds the gradient and the curvature of the order of one need. @param rows best first */
function addOrderLoss(
  rows: Int32Array,
  { grades, weights, ideal }: { grades: Uint8Array; weights: Float64Array; ideal: number },
  { sums, gradient, curvature }: { sums: Float64Array; gradient: Float64Array; curvature: Float64Array },
): void {
  for (let i = 0; i < Math.min(SHOWN, rows.length); i++) {
    for (let j = i + 1; j < rows.length; j++) {
      const [a, b] = [rows[i] as number, rows[j] as number];
      const difference = gainOf(grades[a] as number) - gainOf(grades[b] as number);
      if (difference === 0) {
        continue;
      }
      const lost = (Math.abs(difference) * (discountOf(i) - discountOf(j))) / ideal;
      const [better, worse] = difference > 0 ? [a, b] : [b, a];
      const weight = (weights[worse] as number) * ORDER_WEIGHT * lost;
      const share = 1 / (1 + Math.exp((sums[better] as number) - (sums[worse] as number)));
      gradient[better] = (gradient[better] as number) - weight * share;
      gradient[worse] = (gradient[worse] as number) + weight * share;
      const bend = weight * share * (1 - share);
      curvature[better] = (curvature[better] as number) + bend;
      curvature[worse] = (curvature[worse] as number) + bend;
    }
  }
}

/** The sums of a model for every row. */
export function sumsOf(file: RankingModelFile, { rows, columns, values }: Table): Float64Array {
  const model = createRankingModel(file);
  return Float64Array.from({ length: rows }, (_, row) =>
    model.sumOf(values.subarray(row * columns, (row + 1) * columns)),
  );
}

/** How far the first answers of a need count. */
const SHOWN = 5;

/** Which examples of a model count: those with its card, or those without. */
export type Kind = "listed" | "hidden";

/** Rows of the best sums of each need, best first, among those that a grader saw. */
export function shownRows(
  { seen, hidden, starts }: RankingExamples,
  sums: Float64Array,
  kind: Kind = "listed",
): number[][] {
  return starts.slice(0, -1).map((first, need) => {
    const rows = Array.from({ length: (starts[need + 1] as number) - first }, (_, k) => first + k);
    return rows
      .filter((row) => seen[row] && (hidden[row] === 1) === (kind === "hidden"))
      .sort((a, b) => (sums[b] as number) - (sums[a] as number))
      .slice(0, SHOWN);
  });
}

/**
 * The least grade that the chance is of. Nothing is known of the quality of a model without a card, so its chance is that
 * it is at least usable.
 */
const COUNTED_FROM = { listed: 2, hidden: 1 } as const;

/** Fits slope and offset of the chance so that it is true of the answers that are shown (Platt scaling, Newton steps). */
export function calibrate(
  examples: RankingExamples,
  sums: Float64Array,
  kind: Kind = "listed",
): { slope: number; offset: number } {
  const rows = shownRows(examples, sums, kind).flat();
  let slope = 1;
  let offset = 0;
  for (let step = 0; step < 50; step++) {
    let [gs, go, ss, so, oo] = [0, 0, 1e-6, 0, 1e-6];
    for (const row of rows) {
      const x = sums[row] as number;
      const share = logistic(slope * x + offset);
      const error = share - Number((examples.grades[row] as number) >= COUNTED_FROM[kind]);
      const bend = share * (1 - share);
      gs += error * x;
      go += error;
      ss += bend * x * x;
      so += bend * x;
      oo += bend;
    }
    const det = ss * oo - so * so;
    slope -= (oo * gs - so * go) / det;
    offset -= (ss * go - so * gs) / det;
  }
  return { slope: Number(slope.toFixed(4)), offset: Number(offset.toFixed(4)) };
}

const gainOf = (grade: number) => 2 ** grade - 1;
/** What a place counts, the first being 0; places that are not shown count nothing. */
const discountOf = (place: number) => (place < SHOWN ? 1 / Math.log2(place + 2) : 0);
const dcgOf = (grades: readonly number[]) =>
  grades.slice(0, SHOWN).reduce((sum, grade, place) => sum + gainOf(grade) * discountOf(place), 0);

/** Figures of an order, over the needs that some model serves. */
export function figuresOf(
  examples: RankingExamples,
  sums: Float64Array,
  kind: Kind = "listed",
): Record<string, number> {
  const shown = shownRows(examples, sums, kind);
  let served = 0;
  let ndcg = 0;
  let firstGood = 0;
  let firstBest = 0;
  for (const [need, rows] of shown.entries()) {
    const own: number[] = [];
    for (let row = examples.starts[need] as number; row < (examples.starts[need + 1] as number); row++) {
      if ((examples.hidden[row] === 1) === (kind === "hidden")) {
        own.push(examples.grades[row] as number);
      }
    }
    const ideal = dcgOf(own.sort((a, b) => b - a));
    if (ideal === 0) {
      continue;
    }
    const grades = rows.map((row) => examples.grades[row] as number);
    served++;
    ndcg += dcgOf(grades) / ideal;
    firstGood += Number((grades[0] ?? 0) >= 2);
    firstBest += Number(grades[0] === 3);
  }
  return { served, "nDCG@5": ndcg / served, "first is good": firstGood / served, "first is best": firstBest / served };
}

/** The share of the needs that no model serves whose best chance is below a half. */
export function doubtedShare(
  examples: RankingExamples,
  sums: Float64Array,
  { slope, offset }: { slope: number; offset: number },
  kind: Kind = "listed",
): number {
  const unserved = shownRows(examples, sums, kind).filter(
    (rows, need) =>
      rows.length > 0 &&
      examples.grades.subarray(examples.starts[need], examples.starts[need + 1]).every((grade) => grade === 0),
  );
  const doubted = unserved.filter(([first]) => slope * (sums[first as number] as number) + offset < 0);
  return doubted.length / unserved.length;
}

/** The mean distance of chance and share of good choices among the shown answers, over ten equal bins. */
export function calibrationError(
  examples: RankingExamples,
  sums: Float64Array,
  { slope, offset }: { slope: number; offset: number },
  kind: Kind = "listed",
): number {
  const rows = shownRows(examples, sums, kind).flat();
  const bins = Array.from({ length: 10 }, () => ({ count: 0, chance: 0, good: 0 }));
  for (const row of rows) {
    const chance = logistic(slope * (sums[row] as number) + offset);
    const bin = bins[Math.min(9, Math.floor(10 * chance))] as (typeof bins)[number];
    bin.count++;
    bin.chance += chance;
    bin.good += Number((examples.grades[row] as number) >= COUNTED_FROM[kind]);
  }
  return bins.reduce((sum, { chance, good }) => sum + Math.abs(chance - good), 0) / rows.length;
}
