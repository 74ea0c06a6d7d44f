import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { InterestIndex } from "../../src/interests/interest-index.ts";
import { type FoundMatch, judgeModels } from "../../src/interests/judge-model.ts";
import type { ChangedModel } from "../../src/inventory/changes.ts";
import type { Model } from "../../src/inventory/facts/model.ts";
import { licenseAllows } from "../../src/inventory/licenses/licenses.ts";
import { meetsHardLimits } from "../../src/recommend/need.ts";
import { profileOf } from "../../src/recommend/profile.ts";
import { scoreModel } from "../../src/recommend/score/score.ts";
import { understand } from "../../src/recommend/understand/understand.ts";
import { openStore } from "../../src/store/open-store.ts";
import { needs } from "../support/needs.ts";
import { openTestInventory } from "../support/service/open-test-inventory.ts";
import { interestsOf, proOwner } from "./support/test-matching.ts";

const { database, inventory } = await openTestInventory();
const keys: string[] = [];
for await (const batch of inventory.table.query().select(["entry"])) {
  for (const { entry } of batch) {
    keys.push((JSON.parse(entry) as Model).key);
  }
}
const models = await inventory.load(keys);

/** Needs with names of models, with filters and with all kinds of lowest scores. */
const wanted = fc
  .sample(
    fc.record({
      description: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...needs) },
        fc.constantFrom(...models.map(({ model }) => `something like ${model.name.split("/")[1]} for our shop`)),
      ),
      hardware: fc.option(fc.constantFrom("cpu", "gpu-8gb"), { nil: undefined, freq: 6 }),
      maxSizeGb: fc.option(fc.constantFrom(0.5, 5), { nil: undefined, freq: 6 }),
      license: fc.option(fc.constantFrom("permissive", "mit"), { nil: undefined, freq: 6 }),
      minScore: fc.constantFrom(0, 0.1, 0.25, 0.3, 0.5, 0.5, 0.5, 0.8),
    }),
    { numRuns: 120, seed: 7 },
  )
  .map(({ description, minScore, ...filter }) => ({ need: { description, filter, ignore: [] }, minScore }));

describe("the index of interests", () => {
  it("finds every interest that a model satisfies, as scoring each of them would", { timeout: 240_000 }, async () => {
    const store = await openStore({ home: join(database.location.lockFolder, "state") });
    onTestFinished(() => store.close());
    const { ownerId } = await proOwner(store);
    const interests = interestsOf(store, database);
    const names = new Map<string, number>();
    for (const [i, values] of wanted.entries()) {
      names.set((await interests.create(ownerId, { name: `${i}`, ...values })).id, i);
    }
    const now = Date.now();
    const index = new InterestIndex();
    const yieldToEventLoop = () => undefined;
    await index.refresh(store.db, inventory.encoder, yieldToEventLoop);
    const vectors = await inventory.encoder.encode(wanted.map(({ need }) => need.description));
    const profiles = wanted.map(({ need }, i) =>
      profileOf(need, understand(need.description), vectors[i] as Float32Array, now),
    );
    // Models of all task types.
    const some = models.filter((_, i) => i % 7 === 0);
    const changed = some.map(
      ({ model, vector }): ChangedModel => ({ key: model.key, model, vector, text: "", asOf: () => undefined }),
    );
    const found: FoundMatch[] = [];
    for await (const match of judgeModels(changed, {
      index,
      owners: new Set([ownerId]),
      since: 0,
      changes: new Map(changed.map(({ key }) => [key, Number.MAX_SAFE_INTEGER])),
      encoder: inventory.encoder,
      now,
      yieldToEventLoop,
    })) {
      found.push(match);
    }
    const matchesOf = Map.groupBy(found, ({ model }) => model);
    let matches = 0;
    for (const { model, vector } of some) {
      const expected = wanted.flatMap(({ need, minScore }, i) => {
        const candidate = scoreModel({ model, vector }, profiles[i] as (typeof profiles)[number]);
        const passes = meetsHardLimits(candidate, need) && passesLicense(model, need.filter.license);
        return passes && candidate.score >= minScore ? [[i, candidate.score]] : [];
      });
      const matched = (matchesOf.get(model) ?? []).map(
        ({ interest, score }) => [names.get(interest.id) as number, score] as const,
      );
      expect(
        matched.sort(([a], [b]) => a - b),
        model.name,
      ).toEqual(expected);
      matches += matched.length;
    }
    expect(matches).toBeGreaterThan(300);
  });
});

function passesLicense({ license }: Model, wish: string | undefined): boolean {
  if (wish === undefined) {
    return true;
  }
  return wish === "mit" ? license === "mit" : licenseAllows(license, wish);
}
