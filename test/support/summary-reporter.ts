import type { Reporter, TestModule, Vitest } from "vitest/node";

/** A test that did not run. */
interface Skipped {
  /** File and full name. */
  name: string;
  reason: string;
}

/**
 * Ends a run with every skipped test and the reason, and with a line of counts: "N passed, M failed, K skipped". A file
 * that cannot be run counts as one that failed. Tests that `-t` or `.only` leave out are counted and not listed.
 */
export default class SummaryReporter implements Reporter {
  #isFiltered = false;

  onInit(vitest: Vitest): void {
    this.#isFiltered = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const { passed, failed, skipped, listed } = summarise(modules, this.#isFiltered);
    for (const [reason, names] of Map.groupBy(listed, (test) => test.reason)) {
      console.log(`\nSKIPPED, ${reason}:`);
      for (const { name } of names) {
        console.log(`  ${name}`);
      }
    }
    console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
  }
}

/**
 * Counts tests by their results.
 *
 * @param isFiltered whether a pattern chose the tests; those without a reason are then not listed.
 */
export function summarise(
  modules: readonly TestModule[],
  isFiltered: boolean,
): { passed: number; failed: number; skipped: number; listed: Skipped[] } {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const listed: Skipped[] = [];
  for (const module of modules) {
    let ran = 0;
    for (const test of module.children.allTests()) {
      const result = test.result();
      ran += 1;
      if (result.state === "passed") {
        counts.passed += 1;
      } else if (result.state === "failed") {
        counts.failed += 1;
      } else {
        counts.skipped += 1;
        const note = result.state === "skipped" ? result.note : undefined;
        if (note !== undefined || !isFiltered) {
          const reason = note ?? "and no reason is given";
          listed.push({ name: `${module.relativeModuleId} > ${test.fullName}`, reason });
        }
      }
    }
    if (ran === 0 && module.state() === "failed") {
      counts.failed += 1;
    }
  }
  return { ...counts, listed };
}
