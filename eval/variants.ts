import type { Encoder } from "../src/embedding/static/static-encoder.ts";
import type { Inventory } from "../src/inventory/inventory.ts";
import { memoryOfNeed } from "../src/recommend/profile.ts";
import type { RecommendOptions } from "../src/recommend/recommend.ts";
import { needWords } from "../src/recommend/score/lexical-match.ts";
import { type Recommend, recommendFrom } from "./recommend.ts";

/** A recommendation without one of its parts. */
export interface RecommenderVariant {
  name: string;
  /** Answers needs from an inventory without the part. */
  without: (inventory: Inventory) => Recommend;
}

type Adjust = NonNullable<RecommendOptions["adjust"]>;

const judgedWithout =
  (adjust: Adjust) =>
  (inventory: Inventory): Recommend =>
    recommendFrom(inventory, adjust);

/** Without the text search and the shared words. */
const withoutWords = (inventory: Inventory): Recommend =>
  recommendFrom(changed(inventory, { search: withoutTextSearch(inventory) }), (profile) => ({
    ...profile,
    words: needWords(""),
  }));

/** Without meaning: the needs' vectors are all 0, so the nearest models are random. */
const withoutVectors = (inventory: Inventory): Recommend => recommendFrom(withBlindEncoder(inventory));

const withoutText = (inventory: Inventory): Recommend =>
  recommendFrom(changed(withBlindEncoder(inventory), { search: withoutTextSearch(inventory) }), (profile) => ({
    ...profile,
    words: needWords(""),
  }));

/** All parts that can be left out. */
export const variants: readonly RecommenderVariant[] = [
  {
    name: "task understanding",
    without: judgedWithout((profile) => ({ ...profile, tasks: [], certainty: 1, none: 0 })),
  },
  {
    name: "only the most confident task",
    without: judgedWithout((profile) => ({ ...profile, tasks: profile.tasks.slice(0, 1) })),
  },
  {
    name: "wishes",
    without: judgedWithout((profile) => ({
      ...profile,
      wishes: [],
      wished: {},
      memoryGb: memoryOfNeed({ ...profile, wished: {} }),
      sizePreference: undefined,
    })),
  },
  {
    name: "purposes",
    without: judgedWithout((profile) => ({ ...profile, purposes: [], meantPurposes: [], purposeNone: 0 })),
  },
  {
    name: "manner: training, priority, formats",
    without: judgedWithout((profile) => ({
      ...profile,
      manner: { training: "untold", formats: [], references: [] },
      priority: undefined,
    })),
  },
  { name: "text: words and vectors", without: withoutText },
  { name: "text: words", without: withoutWords },
  { name: "text: vectors", without: withoutVectors },
];

/** The searches of an inventory, of which the one for words finds nothing. */
function withoutTextSearch({ search }: Inventory): Inventory["search"] {
  return {
    ...search,
    models: (searches) => search.models(searches.map((each) => ("text" in each ? { keys: [], limit: 0 } : each))),
  };
}

/** Returns the inventory with some of its parts replaced. */
function changed(inventory: Inventory, parts: Partial<Inventory>): Inventory {
  return new Proxy(inventory, {
    get(target, property) {
      if (property in parts) {
        return parts[property as keyof Inventory];
      }
      const value = Reflect.get(target, property, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function withBlindEncoder(inventory: Inventory): Inventory {
  const encode: Encoder["encode"] = async (texts) =>
    (await inventory.encoder.encode(texts)).map((vector) => vector.fill(0));
  const encoder = Object.create(inventory.encoder, { encode: { value: encode } }) as Encoder;
  return changed(inventory, { encoder });
}
