import type { BenchNeed } from "../support/needs.ts";
import { languages, modelDomains, tasks } from "./fragments.ts";
import { randomOf } from "./random.ts";

const openings = [
  "I need a model that",
  "something that",
  "For our team: it",
  "Looking for a model which",
  "best one that",
];
const endings = [
  "",
  ", on a laptop",
  ", free for commercial use",
  ", as small as possible",
  ", state of the art",
  ", fast",
];

/** Composes needs from tasks and domains, two in five with explicit fields. The same seed gives the same needs. */
export function composeNeeds(count: number, seed: number): BenchNeed[] {
  const random = randomOf(seed);
  const wanted = tasks.filter(({ label }) => label !== undefined);
  return Array.from({ length: count }, (_, i): BenchNeed => {
    const task = random.pick(wanted);
    const description = `${random.pick(openings)} ${random.pick(task.does)} for ${random.pick(modelDomains)}${random.pick(endings)}`;
    switch (i % 10) {
      case 0:
        return { description, hardware: random.pick(["cpu", "gpu-8gb", "gpu-24gb", "apple-silicon"]) };
      case 1:
        return { description, license: random.pick(["open", "permissive", "commercial", "mit"]) };
      case 2:
        return { description, maxSizeGb: random.pick([1, 4, 16]), hardware: "gpu-24gb" };
      case 3:
        return { description, languages: [random.pick(languages)] };
      default:
        return { description };
    }
  });
}
