/**
 * What the odds of suiting rest on, by logistic regression over the five strongest models for every need of eval/suite
 * that tells the right tasks: `node eval/fit-chance.ts` fits them anew.
 */
const odds = { constant: -6.65, strength: 6.93, certainty: 5.51 };

/**
 * The chance that a model which serves the understood tasks is one for the need, 0 to 1: it grows with the strength of
 * the match and with the certainty that the first of these is meant, both 0 to 1.
 */
export function chanceOfSuiting(strength: number, certainty: number): number {
  return 1 / (1 + Math.exp(-(odds.constant + odds.strength * strength + odds.certainty * certainty)));
}
