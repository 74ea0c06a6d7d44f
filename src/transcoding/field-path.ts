import { checkLimits } from "./check-limits.ts";
import { cutMiddle } from "./cut-text.ts";

/** A step down in JSON: to a field (its name as sent), a list's element (its index) or a map's value (`[key]`). */
export type PathStep = string | number;

/** Writes a path as `a.b[0].c`. A long one has its middle left out, since its ends say most. */
export function fieldPath(steps: readonly PathStep[]): string {
  let path = "";
  for (const step of steps) {
    if (typeof step === "number") {
      path += `[${step}]`;
    } else {
      // What is left of a long step is longer than a path may be, so that the path is cut where the step was.
      const name = cutMiddle(step, 2 * checkLimits.violationCharacters);
      path += path === "" || name.startsWith("[") ? name : `.${name}`;
    }
  }
  return cutMiddle(path, checkLimits.violationCharacters);
}
