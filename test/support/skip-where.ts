import { beforeEach } from "vitest";

/** Skips the tests of a suite, or of a file, where there is a problem. The run's summary gives it as the reason. */
export function skipWhere(problem: string | undefined): void {
  if (problem !== undefined) {
    beforeEach((context) => context.skip(problem));
  }
}
