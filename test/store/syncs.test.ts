import { expect, it } from "vitest";
import { readSyncs, saveSync, takeSync } from "../../src/store/tables/syncs.ts";
import { describeStore } from "../support/database/describe-store.ts";

describeStore("syncs", ({ open, place }) => {
  it("are claimed by one replica for each scheduled time", async () => {
    const options = await place();
    const replicas = await Promise.all([open(options), open(options), open(options)]);
    for (const at of [1_900_000_000_000, 1_900_000_060_000]) {
      const taken = await Promise.all(replicas.map(({ db }) => takeSync(db, "huggingface", at)));
      expect(taken.filter(Boolean)).toHaveLength(1);
    }
    const [{ db }] = replicas;
    expect(await takeSync(db, "huggingface", 1_900_000_000_000)).toBe(false);
    expect(await takeSync(db, "localai", 1_900_000_000_000)).toBe(true);
    expect(await readSyncs(db)).toEqual([]);
  });

  it("keep the last report of each source, and the time of its last success", async () => {
    const { db } = await open();
    await saveSync(db, { source: "ollama", endedAt: 1_000, report: '{"listed":1}', succeeded: true });
    await saveSync(db, { source: "huggingface", endedAt: 2_000, report: "{}", succeeded: false });
    await saveSync(db, { source: "ollama", endedAt: 3_000, report: '{"listed":2}', succeeded: false });
    expect(await readSyncs(db)).toEqual([
      { source: "huggingface", endedAt: 2_000, succeededAt: undefined, report: "{}" },
      { source: "ollama", endedAt: 3_000, succeededAt: 1_000, report: '{"listed":2}' },
    ]);
    expect(await takeSync(db, "ollama", 5_000)).toBe(true);
    expect(await readSyncs(db)).toHaveLength(2);
  });
});
