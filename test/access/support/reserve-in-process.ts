/**
 * Reserves as a Free caller, in a process of its own: writes a line for every reservation that it got, and `refused`
 * at the end. Its argument is JSON: where the store is, how many calls at once, and how many rounds of them.
 */
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openAccess } from "../../../src/access/access.ts";
import { ServiceError } from "../../../src/error.ts";
import { openStore } from "../../../src/store/open-store.ts";

export interface ReserveOptions {
  home: string;
  databaseUrl?: string;
  /** In milliseconds since 1970; the clock stands. */
  now: number;
  atOnce: number;
  rounds: number;
}

const { now, atOnce, rounds, ...options } = JSON.parse(process.argv[2] as string) as ReserveOptions;
const store = await openStore(options);
const access = await openAccess(store, { provisioning: true, freePerDay: 10, basicPerDay: 1_000, now: () => now });
const caller = await access.authenticate({ keys: [], address: "203.0.113.7" });
let refusals = 0;
writeSync(1, "ready\n");
for (let round = 0; round < rounds; round++) {
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      try {
        await access.reserve(caller, 1);
        // The answer, out of the process before anything else can happen to it.
        writeSync(1, "given\n");
      } catch (error) {
        if (!(error instanceof ServiceError) || error.reason !== "QUOTA_EXHAUSTED") {
          throw error;
        }
        refusals++;
      }
    }),
  );
  await sleep(3);
}
await access.close();
await store.close();
writeSync(1, `refused ${refusals}\n`);
