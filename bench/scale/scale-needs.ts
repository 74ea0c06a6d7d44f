import { type BenchNeed, needs } from "../support/needs.ts";
import { composeNeeds } from "./compose-needs.ts";

const COMPOSED = 160;
const SEED = 7;

/** The forty needs of the other benchmarks and 160 composed ones, two in five with explicit fields. */
export const scaleNeeds: readonly BenchNeed[] = [...needs, ...composeNeeds(COMPOSED, SEED)];
