import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createKeys } from "../../src/access/keys.ts";
import type { BatchNeed } from "../../src/batches/batch-runner.ts";
import { Batches } from "../../src/batches/batches.ts";
import { ServiceError } from "../../src/error.ts";
import type { StoreOptions } from "../../src/store/connect-store.ts";
import type { Store } from "../../src/store/store.ts";
import { describeStore } from "../support/database/describe-store.ts";
import { echo, needs, proOwner, testRunners, until, untilEnded } from "./support/test-batches.ts";

const script = fileURLToPath(new URL("support/answer-in-process.ts", import.meta.url));

/** The common content of all needs of a batch, for `echo`. */
const echoed = (total: number) =>
  Array.from({ length: total }, (_, place) => ({ place, answer: JSON.stringify({ place, need: { place } }) }));

const resultsOf = (store: Store, id: string) => new Batches(store).results(id, 0, 100_000);

describeStore("a batch", ({ open, place }) => {
  const run = testRunners();

  it("is answered, each need once and in order, and reports its progress", { timeout: 60_000 }, async () => {
    const store = await open();
    const { ownerId } = await proOwner(store);
    const batches = new Batches(store);
    const made = await batches.create({ ownerId, name: "mine", needs: needs(130) });
    expect(made).toMatchObject({ state: "queued", total: 130, completed: 0, failed: 0, name: "mine" });
    run(store, {
      answer: async (need, signal) => ({ ...(await echo(need, signal)), isError: need.place % 10 === 0 }),
    });
    const seen = new Set<number>();
    await until(async () => {
      const { completed, startedAt, state } = await batches.get(made.id, ownerId);
      if (startedAt !== undefined) {
        expect(["running", "succeeded"]).toContain(state);
      }
      // Counted answers are stored.
      expect((await resultsOf(store, made.id)).length).toBeGreaterThanOrEqual(completed);
      seen.add(completed);
      return completed === 130;
    });
    await untilEnded(store, made.id);
    const ended = await batches.get(made.id, ownerId);
    expect(ended).toMatchObject({ state: "succeeded", total: 130, completed: 130, failed: 13 });
    expect(ended.resultsUntil).toBe((ended.endedAt as number) + 7 * 24 * 3600 * 1000);
    expect(await resultsOf(store, made.id)).toEqual(echoed(130));
  });

  it("is worked on by one of two replicas at a time", { timeout: 60_000 }, async () => {
    const at = await place();
    const [one, other] = [await open(at), await open(at)];
    const { ownerId } = await proOwner(one);
    const made = await new Batches(one).create({ ownerId, needs: needs(300) });
    let working = 0;
    let most = 0;
    const answer: typeof echo = async (need, signal) => {
      working += 1;
      most = Math.max(most, working);
      await sleep(2);
      working -= 1;
      return echo(need, signal);
    };
    run(one, { answer });
    run(other, { answer });
    await untilEnded(one, made.id);
    expect(most).toBe(1);
    expect(await resultsOf(one, made.id)).toEqual(echoed(300));
  });

  it("is answered by helpers at the same time, in order, whatever fails meanwhile", { timeout: 60_000 }, async () => {
    const store = await open();
    const { ownerId } = await proOwner(store);
    const made = await new Batches(store).create({ ownerId, needs: needs(400) });
    const lefts: number[] = [];
    const helped: number[] = [];
    let working = 0;
    let most = 0;
    const slowly: typeof echo = async (need, signal) => {
      working += 1;
      most = Math.max(most, working);
      // Later needs are often answered before earlier ones.
      await sleep((need.place * 7) % 5);
      working -= 1;
      return echo(need, signal);
    };
    const helpers = {
      places(left: number) {
        lefts.push(left);
        return 3;
      },
      answer: async (need: BatchNeed, signal: AbortSignal) => {
        helped.push(need.place);
        if (need.place === 200 && helped.filter((place) => place === 200).length === 1) {
          throw new ServiceError("STATE_UNAVAILABLE");
        }
        return slowly(need, signal);
      },
    };
    run(store, { answer: slowly, helpers });
    await untilEnded(store, made.id);
    expect(await resultsOf(store, made.id)).toEqual(echoed(400));
    expect(await new Batches(store).get(made.id, ownerId)).toMatchObject({ state: "succeeded", failed: 0 });
    expect(most).toBe(4);
    expect(lefts[0]).toBe(400);
    // This process answers some, too.
    expect(new Set(helped).size).toBeGreaterThan(100);
    expect(new Set(helped).size).toBeLessThan(400);
  });

  it("accepts no answers from a replica that lost its hold", { timeout: 60_000 }, async () => {
    const store = await open();
    const { ownerId } = await proOwner(store);
    const made = await new Batches(store).create({ ownerId, needs: needs(3) });
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    let calls = 0;
    run(store, {
      async answer(need, signal) {
        calls += 1;
        if (calls > 1) {
          return echo(need, signal);
        }
        asked.resolve();
        await held.promise;
        return { answer: "too late", isError: true };
      },
    });
    await asked.promise;
    // As another replica does if this one did not renew its hold in time.
    const taken = { term: 99, held_until: 0 };
    await store.db.updateTable("batches").set(taken).where("id", "=", made.id).execute();
    held.resolve();
    await untilEnded(store, made.id);
    expect(await resultsOf(store, made.id)).toEqual(echoed(3));
    expect(await new Batches(store).get(made.id, ownerId)).toMatchObject({ state: "succeeded", failed: 0 });
  });

  it("resumes where a killed process stopped", { timeout: 120_000 }, async () => {
    const at = await place();
    const store = await open(at);
    const { ownerId } = await proOwner(store);
    const batches = new Batches(store);
    const made = await batches.create({ ownerId, needs: needs(150) });
    const answered: number[] = [];
    let kills = 0;
    const isDone = async () => (await batches.get(made.id, ownerId)).endedAt !== undefined;
    while (!(await isDone())) {
      const child = spawn(process.execPath, [script, JSON.stringify(at satisfies StoreOptions)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      kills += (await killAfter(child, 40, answered)) ? 1 : 0;
    }
    expect(kills).toBeGreaterThan(0);
    expect(await resultsOf(store, made.id)).toEqual(echoed(150));
    expect(await batches.get(made.id, ownerId)).toMatchObject({ state: "succeeded", completed: 150, failed: 0 });
    // Only needs whose answers were not stored are answered again: one group for each kill.
    expect(answered.length).toBeLessThanOrEqual(150 + 20 * kills);
  });

  it("stops when it is cancelled, and keeps its answers", { timeout: 60_000 }, async () => {
    const store = await open();
    const { ownerId } = await proOwner(store);
    const batches = new Batches(store);
    const made = await batches.create({ ownerId, needs: needs(5_000) });
    let last = 0;
    run(store, {
      async answer(need, signal) {
        last = need.place;
        await sleep(1);
        return echo(need, signal);
      },
    });
    await until(async () => (await batches.get(made.id, ownerId)).completed > 0);
    const cancelled = await batches.cancel(made.id, ownerId);
    expect(cancelled).toMatchObject({ state: "cancelled", endedAt: expect.any(Number) });
    const small = await batches.create({ ownerId, needs: needs(1) });
    await untilEnded(store, small.id);
    // The next batch has started, so nobody works on this one any more.
    expect(last).toBe(0);
    expect(await resultsOf(store, made.id)).toEqual(echoed(cancelled.completed));
    expect(await batches.get(made.id, ownerId)).toEqual(cancelled);
    expect(await batches.cancel(made.id, ownerId)).toEqual(cancelled);
  });

  it("takes turns with other owners' batches", { timeout: 60_000 }, async () => {
    const store = await open();
    const batches = new Batches(store);
    const answer: typeof echo = async (need, signal) => {
      await sleep(2);
      return echo(need, signal);
    };
    const large = await Promise.all(
      [1, 2].map(async () => batches.create({ ownerId: (await proOwner(store)).ownerId, needs: needs(5_000) })),
    );
    run(store, { answer });
    await until(async () => (await batches.get(large[0]?.id as string, undefined)).completed > 0);
    const { ownerId } = await proOwner(store);
    const small = await batches.create({ ownerId, needs: needs(50) });
    await untilEnded(store, small.id);
    for (const { id } of large) {
      expect((await batches.get(id, undefined)).endedAt).toBeUndefined();
    }
    // All of them make progress.
    await until(async () => (await batches.get(large[1]?.id as string, undefined)).completed > 0);
  });

  it("waits while its owner has no valid Pro key", { timeout: 60_000 }, async () => {
    const store = await open();
    const { ownerId, keyId } = await proOwner(store);
    const keys = createKeys(store);
    const batches = new Batches(store);
    await keys.revoke(keyId, "test");
    await keys.create({ tier: "basic", ownerName: ownerId }, "test");
    const waiting = await batches.create({ ownerId, needs: needs(2) });
    const other = await batches.create({ ownerId: (await proOwner(store)).ownerId, needs: needs(2) });
    run(store);
    await untilEnded(store, other.id);
    expect(await batches.get(waiting.id, ownerId)).toMatchObject({ state: "queued", completed: 0 });
    await keys.create({ tier: "pro", ownerName: ownerId }, "test");
    await untilEnded(store, waiting.id);
    expect(await resultsOf(store, waiting.id)).toEqual(echoed(2));
  });

  it("is retried if a need cannot be answered yet", { timeout: 60_000 }, async () => {
    const store = await open();
    const { ownerId } = await proOwner(store);
    const made = await new Batches(store).create({ ownerId, needs: needs(5) });
    let refusals = 2;
    run(store, {
      async answer(need, signal) {
        if (need.place === 2 && refusals-- > 0) {
          throw new ServiceError("STATE_UNAVAILABLE");
        }
        return echo(need, signal);
      },
    });
    await untilEnded(store, made.id);
    expect(refusals).toBe(-1);
    expect(await resultsOf(store, made.id)).toEqual(echoed(5));
  });

  it("fails as a whole if its needs are lost", { timeout: 60_000 }, async () => {
    const store = await open();
    const { ownerId } = await proOwner(store);
    const batches = new Batches(store);
    const made = await batches.create({ ownerId, needs: needs(60) });
    await store.db.deleteFrom("batch_needs").where("first_place", ">", 0).execute();
    run(store);
    await untilEnded(store, made.id);
    const ended = await batches.get(made.id, ownerId);
    expect(ended).toMatchObject({ state: "failed", error: "its needs from position 50 on are lost" });
    expect(await resultsOf(store, made.id)).toEqual(echoed(ended.completed));
  });

  it("is deleted seven days after its end, and its needs at once", { timeout: 60_000 }, async () => {
    const store = await open();
    const { ownerId } = await proOwner(store);
    const batches = new Batches(store);
    const made = await batches.create({ ownerId, needs: needs(250) });
    await run(store).stop();
    const first = run(store);
    await untilEnded(store, made.id);
    await first.stop();
    const rows = async (table: "batch_needs" | "batch_results") =>
      (await store.db.selectFrom(table).selectAll().execute()).length;
    const { resultsUntil = 0 } = await batches.get(made.id, ownerId);
    const before = run(store, { now: () => resultsUntil - 1_000 });
    await until(async () => (await rows("batch_needs")) === 0);
    await before.stop();
    expect(await rows("batch_results")).toBe(250);
    run(store, { now: () => resultsUntil });
    await until(async () => (await rows("batch_results")) === 0);
    await until(async () =>
      batches.get(made.id, ownerId).then(
        () => false,
        () => true,
      ),
    );
    await expect(batches.get(made.id, ownerId)).rejects.toMatchObject({ reason: "BATCH_NOT_FOUND" });
  });
});

/** Kills a process after it has answered some needs. @returns whether it was still running. */
async function killAfter(child: ChildProcess, count: number, answered: number[]): Promise<boolean> {
  const closed = once(child, "close");
  let own = 0;
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const [, place] = /^answered (\d+)$/.exec(line) ?? [];
    if (place === undefined) {
      continue;
    }
    answered.push(Number(place));
    own += 1;
    if (own >= count) {
      child.kill("SIGKILL");
    }
  }
  const [, signal] = await closed;
  return signal === "SIGKILL";
}
