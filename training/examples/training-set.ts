import { random } from "../numbers/random.ts";
import { modelExamples, readDefinitions } from "./descriptions.ts";
import { readBackground, readNeeds } from "./needs.ts";

/** The seed of all random draws of the training. */
export const SEED = 1;

/** Sentences that ask for no model: about half as many as there are needs. */
const BACKGROUND = 6_000;

export const needs = readNeeds();
export const labels = [...new Set(needs.map(({ label }) => label))].sort();
/** Texts that describe tasks or models. */
export const described = [...readDefinitions(new Set(labels)), ...modelExamples(new Set(labels))];
/** Texts that ask for no model. */
export const background = readBackground(BACKGROUND, random(SEED));
