import { setImmediate } from "node:timers/promises";

/** How long work goes on before others get their turn, in milliseconds. */
const TURN_MS = 5;

/**
 * Lets a server answer calls between the parts of long work.
 *
 * @returns what is called, and waited for where it returns something, after each part.
 */
export function takingTurns(): () => Promise<void> | undefined {
  let until = performance.now() + TURN_MS;
  return () => {
    if (performance.now() < until) {
      return undefined;
    }
    return setImmediate().then(() => {
      until = performance.now() + TURN_MS;
    });
  };
}
