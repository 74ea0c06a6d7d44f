import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainMemory } from "../../src/embedding/vector-kernels.ts";
import type { Model } from "../../src/inventory/facts/model.ts";
import { filterColumns, passesFilter } from "../../src/inventory/table/filter.ts";
import { type Profile, profileOf } from "../../src/recommend/profile.ts";
import { featureNames } from "../../src/recommend/score/features/features.ts";
import { createRankingModel, loadRankingModel, type Tree } from "../../src/recommend/score/learned/ranking-model.ts";
import { LeafMasks } from "../../src/recommend/score/many-needs/leaf-masks.ts";
import { MatchingPage } from "../../src/recommend/score/many-needs/matching-page.ts";
import { type PreparedNeed, PreparedNeeds } from "../../src/recommend/score/many-needs/prepared-needs.ts";
import { matchModel, scoreModel } from "../../src/recommend/score/score.ts";
import { understand } from "../../src/recommend/understand/understand.ts";
import { needs as descriptions } from "../support/needs.ts";
import { openTestInventory } from "../support/service/open-test-inventory.ts";

const NOW = Date.UTC(2026, 10, 1);
const { inventory } = await openTestInventory();
const keys: string[] = [];
for await (const batch of inventory.table.query().select(["entry"])) {
  for (const { entry } of batch) {
    keys.push((JSON.parse(entry) as Model).key);
  }
}
const models = await inventory.load(keys);

/** Needs with every kind of wish, some with names of models, some with filters. */
const wanted = fc.sample(
  fc.record({
    description: fc
      .tuple(
        fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom(...descriptions) },
          fc.constantFrom(...models.map(({ model }) => `something like ${model.name.split("/")[1]}`)),
          fc.constantFrom(...models.map(({ model }) => `${model.name.split("/")[1]} for legal contracts`)),
        ),
        fc.constantFrom(
          ...["", "", ", state of the art", ", on a laptop", ", under 2 GB", ", in French", ", licensed for business"],
          ...[", not from meta", ", in real time", ", as small as possible", ", the best there is, on a phone"],
        ),
      )
      .map((parts) => parts.join("")),
    hardware: fc.option(fc.constantFrom("cpu", "gpu-8gb"), { nil: undefined, freq: 6 }),
    maxSizeGb: fc.option(fc.constantFrom(0.5, 5), { nil: undefined, freq: 6 }),
    priority: fc.option(fc.constantFrom("quality" as const, "speed" as const), { nil: undefined, freq: 5 }),
  }),
  { numRuns: 150, seed: 3 },
);
const vectors = await inventory.encoder.encode(wanted.map(({ description }) => description));
const profiles = wanted.map(({ description, priority, ...filter }, i) =>
  profileOf({ description, filter, ignore: [], priority }, understand(description), vectors[i] as Float32Array, NOW),
);

describe("A page of models that is compared with many needs", () => {
  it("finds the models that score at least so much, as scoring each pair alone does", {
    timeout: 240_000,
  }, async () => {
    const needs = new PreparedNeeds();
    const prepared = profiles.map((profile) => needs.add(profile));
    const some = models.filter((_, i) => i % 12 === 0);
    const page = await MatchingPage.of(some, needs, () => undefined);
    let found = 0;
    let surplus = 0;
    for (const [n, profile] of profiles.entries()) {
      const scored = some.map((indexed) => scoreModel(indexed, profile));
      for (const least of [0, 0.1, 0.3, 0.45, 0.5, 0.7]) {
        const expected = some.flatMap(({ model }, i) => {
          const passes = passesFilter(profile.filter, filterColumns(model));
          return passes && (scored[i]?.score as number) >= least ? [i] : [];
        });
        const may = await page.mayScore(prepared[n] as PreparedNeed, least);
        const named = may.filter((i) => scored[i]?.isNamed);
        expect(may, `${wanted[n]?.description} ${least}`).toEqual(expect.arrayContaining(expected));
        found += expected.length;
        surplus += may.filter((i) => !expected.includes(i) && !named.includes(i)).length;
      }
    }
    expect(found).toBeGreaterThan(1_000);
    // Only pairs whose score rounding decides, and models that serve nothing but are cheap to score again.
    expect(surplus).toBeLessThan(found / 500);
  });

  it("uses the places of removed needs again", async () => {
    const needs = new PreparedNeeds();
    const first = profiles.slice(0, 60).map((profile) => needs.add(profile));
    const before = needs.wordCount;
    for (const need of first) {
      needs.remove(need);
    }
    const again = profiles.slice(0, 60).map((profile) => needs.add(profile));
    expect(needs.wordCount).toBe(before);
    const some = models.slice(0, 80);
    const fresh = new PreparedNeeds();
    const page = await MatchingPage.of(some, needs, () => undefined);
    const alone = profiles.slice(0, 60).map((profile) => fresh.add(profile));
    const other = await MatchingPage.of(some, fresh, () => undefined);
    for (const [i, need] of again.entries()) {
      expect(await page.mayScore(need, 0.2)).toEqual(await other.mayScore(alone[i] as PreparedNeed, 0.2));
    }
  });
});

describe("Prepared needs", () => {
  it("forget what only removed needs had", () => {
    const needs = new PreparedNeeds();
    const profile = profiles.find(({ words, tasks }) => words.length > 0 && tasks.length > 0) as Profile;
    const [first, second] = [needs.add(profile), needs.add(profile)];
    const [word, task] = [first.words[0] as number, first.tasks[0] as number];
    expect(needs.isSharedWord(word)).toBe(true);
    needs.remove(first);
    expect(needs.isSharedWord(word)).toBe(false);
    expect(needs.wordAt(word)).toBe(profile.words[0]);
    needs.remove(second);
    for (const forgotten of [
      () => needs.wordAt(word),
      () => needs.taskAt(task),
      () => needs.conditionsAt(first.conditions),
    ]) {
      expect(forgotten).toThrow("is free");
    }
  });
});

describe("Masks of leaves", () => {
  const { trees, sumOf } = loadRankingModel();
  const { sumOf: sumOfFewer } = createRankingModel({
    features: featureNames,
    trees: trees.slice(0, 6),
    slope: 1,
    offset: 0,
    unlisted: { slope: 1, offset: 0, text: 0, task: 0 },
  });
  const features = (profile: Profile, i: number) =>
    matchModel(models[i] as (typeof models)[number], profile).features.slice();

  it("give the sum of the trees, whichever features are combined first, with both kernels", () => {
    const count = features(profiles[0] as Profile, 0).length;
    const masks = new LeafMasks(trees, count);
    // As many trees as the kernel takes at a time, and a rest.
    const fewer = new LeafMasks(trees.slice(0, 6), count, plainMemory);
    for (const [n, profile] of profiles.entries()) {
      const values = features(profile, (n * 7) % models.length);
      const { first, second } = masks;
      first.set(masks.all());
      second.set(masks.all());
      const places: number[] = [];
      for (const [feature, value] of values.entries()) {
        if (places.length < 6 && (feature + n) % 3 === 0) {
          places.push(masks.placeOf(feature, value));
        } else {
          masks.narrow(feature % 2 === 0 ? first : second, feature, [value]);
        }
      }
      expect(masks.sum(Int32Array.from(places))).toBeCloseTo(sumOf(values), 10);
      fewer.first.set(fewer.all());
      fewer.second.set(fewer.all());
      fewer.narrow(fewer.first, 0, values);
      const anywhere = new Int32Array(6).fill(fewer.placeOf(0, values[0] as number));
      expect(fewer.sum(anywhere)).toBeCloseTo(sumOfFewer(values), 10);
    }
  });

  it("refuse a tree with more leaves than a mask has bits", () => {
    const splits = 32;
    const chain: Tree = {
      feature: Array.from({ length: 2 * splits + 1 }, (_, node) => (node < splits ? 0 : -1)),
      threshold: Array.from({ length: 2 * splits + 1 }, (_, node) => node),
      left: Array.from({ length: 2 * splits + 1 }, (_, node) => splits + node),
      right: Array.from({ length: 2 * splits + 1 }, (_, node) => (node === splits - 1 ? 2 * splits : node + 1)),
      value: new Array(2 * splits + 1).fill(0),
    };
    expect(() => new LeafMasks([chain], 1)).toThrow("tree 0 has more than 32 leaves");
  });
});
