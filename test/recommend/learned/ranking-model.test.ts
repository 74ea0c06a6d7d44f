import { describe, expect, it } from "vitest";
import { featureNames } from "../../../src/recommend/score/features/features.ts";
import { createRankingModel, loadRankingModel, type Tree } from "../../../src/recommend/score/learned/ranking-model.ts";

const at = (name: (typeof featureNames)[number]) => featureNames.indexOf(name);
const withFeatures = (values: Partial<Record<(typeof featureNames)[number], number>>) =>
  Float32Array.from(featureNames, (name) => values[name] ?? 0);

describe("The ranking model", () => {
  const split: Tree = {
    feature: [at("standing"), -1, -1],
    threshold: [2.5, 0, 0],
    left: [1, 0, 0],
    right: [2, 0, 0],
    value: [0, -1, 2],
  };
  const single: Tree = { feature: [-1], threshold: [0], left: [0], right: [0], value: [0.5] };
  const unlisted = { slope: 1, offset: -3, text: 2, task: 0.5 };
  const model = createRankingModel({ features: featureNames, trees: [split, single], slope: 2, offset: -1, unlisted });

  it("adds the leaves that the features lead to", () => {
    expect(model.sumOf(withFeatures({ standing: 2.5 }))).toBeCloseTo(-0.5);
    expect(model.sumOf(withFeatures({ standing: 3 }))).toBeCloseTo(2.5);
  });

  it("makes a chance of the sum by its slope and offset, for models of the catalogue", () => {
    expect(model.chanceOf(withFeatures({ standing: 3, hasCard: 1 }))).toBeCloseTo(1 / (1 + Math.exp(-4)));
  });

  it("has a slope and offset of their own for models without a card, and for those with that of their line or base", () => {
    const chance = 1 / (1 + Math.exp(0.5));
    expect(model.chanceOf(withFeatures({ standing: 3 }))).toBeCloseTo(chance);
    expect(model.chanceOf(withFeatures({ standing: 3, hasCard: 1, inherited: 2 }))).toBeCloseTo(chance);
    expect(model.chanceOf(withFeatures({ standing: 3, hasCard: 1, inherited: 1 }))).toBeCloseTo(1 / (1 + Math.exp(-4)));
  });

  it("adds the match to the sum of models without a card of their own", () => {
    const match = { text: 0.5, taskShare: 1 };
    expect(model.matchSumOf(0.5, 1)).toBeCloseTo(1.5);
    expect(model.sumOf(withFeatures({ ...match, standing: 3 }))).toBeCloseTo(4);
    expect(model.sumOf(withFeatures({ ...match, standing: 3, hasCard: 1, inherited: 2 }))).toBeCloseTo(4);
    expect(model.sumOf(withFeatures({ ...match, standing: 3, hasCard: 1 }))).toBeCloseTo(2.5);
  });

  it("refuses a file that was trained with other features", () => {
    expect(() => createRankingModel({ features: ["standing"], trees: [], slope: 1, offset: 0, unlisted })).toThrow(
      /trained with other features/,
    );
  });

  it("that is bundled prefers a model made for the purpose to one that is not", () => {
    const bundled = loadRankingModel();
    const need = { needCertainty: 0.9, needTask: 0.9, hasCard: 1, task: 1, taskShare: 1, standing: 4, parameters: 8.5 };
    const made = bundled.sumOf(
      withFeatures({ ...need, madeFor: 0.9, does: 0.9, partly: 0.9, topGrade: 3, bestShare: 1, group: 0.9 }),
    );
    expect(made).toBeGreaterThan(bundled.sumOf(withFeatures({ ...need, besideBest: -7 })));
  });
});
