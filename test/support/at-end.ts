import { afterAll, onTestFinished } from "vitest";

/**
 * Does something when the running test has ended, or the file's tests where none runs: afterAll in a test is ignored.
 * Not for beforeAll, which runs when vitest has already collected the file's afterAll.
 */
export function atEnd(cleanup: () => void | Promise<void>): void {
  try {
    onTestFinished(cleanup);
  } catch {
    afterAll(cleanup);
  }
}
