import type { Inventory } from "../../src/inventory/index.ts";
import {
  circumstancesOf,
  type GradedNeedFacts,
  LEAST_CONFIDENCE,
  languagesOf,
  type PrecedentsFile,
} from "../../src/recommend/score/learned/precedents.ts";
import { type GradedNeed, gradesOf, profileFor } from "./examples.ts";

/** Makes the file of precedents from graded needs, as the product reads them. */
export async function makePrecedents(inventory: Inventory, needs: readonly GradedNeed[]): Promise<PrecedentsFile> {
  const places = new Map<string, number>();
  const facts: GradedNeedFacts[] = [];
  for (const graded of needs) {
    const profile = await profileFor(inventory, graded.need);
    const purposes = profile.purposes
      .filter(({ confidence }) => confidence >= LEAST_CONFIDENCE)
      .map(({ purpose, confidence }) => [purpose, round(confidence)]);
    facts.push({
      purposes: Object.fromEntries(purposes),
      circumstances: circumstancesOf(profile).map(round),
      languages: languagesOf(profile),
      grades: [...gradesOf(graded)].map(([key, grade]) => {
        const place = places.get(key) ?? places.size;
        places.set(key, place);
        return 4 * place + grade;
      }),
    });
  }
  return { models: [...places.keys()], needs: facts };
}

function round(value: number): number {
  return Math.round(1e3 * value) / 1e3;
}
