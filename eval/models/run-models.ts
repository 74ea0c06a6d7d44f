import { validateNeed } from "../../src/rpc/recommendation/need.ts";
import type { Recommend } from "../recommend.ts";
import { needsForModels } from "./needs-models.ts";

/** Metrics of the needs that were written for one model, as shares of needs. */
export interface ModelsReport {
  needs: number;
  /** The first result is a right model. */
  model1: number;
  /** A right model is among the first three. */
  model3: number;
  /** A right model is among the first ten. */
  model10: number;
  /** The needs without a right model among the results, with the first result. */
  misses: string[];
}

const PLACES = 10;

/** Answers every need that was written for one model, and searches for the model among the first ten. */
export async function runModels(recommend: Recommend): Promise<ModelsReport> {
  const places: number[] = [];
  const misses: string[] = [];
  for (const [need, ...models] of needsForModels) {
    const { results } = await recommend(validateNeed({ description: need, topK: PLACES }));
    const place = results.findIndex(({ model }) => models.includes(model.name));
    if (place >= 0) {
      places.push(place);
    } else {
      misses.push(`${models[0]} <- ${results[0]?.model.name ?? "nothing"}  ${need.slice(0, 140)}`);
    }
  }
  const within = (count: number) => places.filter((place) => place < count).length / needsForModels.length;
  return { needs: needsForModels.length, model1: within(1), model3: within(3), model10: within(PLACES), misses };
}
