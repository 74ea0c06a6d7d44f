import { afterEach } from "vitest";
import type { Access, AccessOptions } from "../../../src/access/access.ts";
import { openAccess } from "../../../src/access/access.ts";
import type { StoreOptions } from "../../../src/store/connect-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { type Backend, describeStore } from "../../support/database/describe-store.ts";
import { testClock } from "./test-clock.ts";

/** Access for a test, on a store and a clock of its own. */
export interface TestAccess {
  access: Access;
  store: Store;
  clock: ReturnType<typeof testClock>;
}

export interface AccessBackend extends Backend {
  /** Opens access; what is given replaces defaults. It is closed after the test. */
  openAccess(
    options?: Partial<AccessOptions> & { at?: StoreOptions; clock?: TestAccess["clock"] },
  ): Promise<TestAccess>;
}

/** Runs a suite about access on SQLite and on PostgreSQL. */
export function describeAccess(title: string, tests: (backend: AccessBackend) => void): void {
  describeStore(title, (backend) => {
    const opened: Access[] = [];
    afterEach(async () => {
      for (const access of opened.splice(0)) {
        await access.close();
      }
    });
    tests({
      ...backend,
      async openAccess({ at, clock = testClock("2030-05-05T12:00:00Z"), ...options } = {}) {
        const store = await backend.open(at);
        const defaults = { provisioning: true, freePerDay: 10, basicPerDay: 1_000, now: clock.now };
        const access = await openAccess(store, { ...defaults, ...options });
        opened.push(access);
        return { access, store, clock };
      },
    });
  });
}
