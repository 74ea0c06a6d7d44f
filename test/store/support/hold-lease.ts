/** Holds the lease `writing` in a process of its own until that is killed. Its argument is JSON: where the store is. */
import { writeSync } from "node:fs";
import { openStore } from "../../../src/store/open-store.ts";
import { withLease } from "../../../src/store/with-lease.ts";

const store = await openStore(JSON.parse(process.argv[2] as string));
await withLease(store, { name: "writing", ttlMs: 2_000 }, async () => {
  writeSync(1, "held\n");
  await new Promise(() => {});
});
