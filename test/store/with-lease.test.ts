import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { releaseLease, renewLease, takeLease } from "../../src/store/tables/leases.ts";
import { withLease } from "../../src/store/with-lease.ts";
import { describeStore } from "../support/database/describe-store.ts";

const script = fileURLToPath(new URL("./support/hold-lease.ts", import.meta.url));

const lease = (name: string, ttlMs = 60_000) => ({ name, holder: "tester", ttlMs });

describeStore("leases", ({ open, place }) => {
  it("are held by one process at a time, and each holder gets a higher term", async () => {
    const store = await open();
    expect(await takeLease(store, lease("writing"))).toBe(1);
    expect(await takeLease(store, lease("writing"))).toBeUndefined();
    expect(await takeLease(store, lease("reading"))).toBe(1);
    await releaseLease(store, { name: "writing", term: 1 });
    expect(await takeLease(store, lease("writing"))).toBe(2);
    await releaseLease(store, { name: "writing", term: 1 });
    expect(await renewLease(store, { ...lease("writing"), term: 2 })).toBe(true);
    expect(await renewLease(store, { ...lease("writing"), term: 1 })).toBe(false);
  });

  it("are free once they expire, and an expired one cannot be renewed", async () => {
    const store = await open();
    const term = (await takeLease(store, lease("writing", 50))) as number;
    await sleep(100);
    expect(await renewLease(store, { ...lease("writing"), term })).toBe(false);
    expect(await takeLease(store, lease("writing"))).toBe(term + 1);
  });

  it("let replicas work in turns, never two at once", async () => {
    const options = await place();
    const replicas = [await open(options), await open(options), await open(options)];
    let [working, most, done] = [0, 0, 0];
    const work = async (assertHeld: () => void) => {
      most = Math.max(most, ++working);
      await sleep(5);
      assertHeld();
      working--;
      done++;
    };
    await Promise.all([...replicas, ...replicas].map((store) => withLease(store, { name: "writing" }, work)));
    expect({ most, done }).toEqual({ most: 1, done: 6 });
  });

  it("last as long as the work, and are released when that fails", async () => {
    const store = await open();
    const failing = withLease(store, { name: "writing", ttlMs: 1_500 }, async (assertHeld) => {
      await sleep(2_500);
      assertHeld();
      expect(await takeLease(store, lease("writing"))).toBeUndefined();
      throw new Error("the disk is full");
    });
    await expect(failing).rejects.toThrow("the disk is full");
    expect(await takeLease(store, lease("writing"))).toBe(2);
  });

  it("warn their holder when another may have them", async () => {
    const store = await open();
    await withLease(store, { name: "writing", ttlMs: 1_500 }, async (assertHeld) => {
      assertHeld();
      // As after a pause in which it expired and another took it.
      await sql`update leases set term = term + 1`.execute(store.db);
      while (true) {
        try {
          assertHeld();
        } catch (error) {
          expect(error).toMatchObject({ reason: "STATE_UNAVAILABLE" });
          break;
        }
        await sleep(10);
      }
    });
    // What another has is not given back by it.
    expect(await renewLease(store, { ...lease("writing"), term: 2 })).toBe(true);
  });

  it("outlive a killed process by their time, and no longer", async () => {
    const options = await place();
    const store = await open(options);
    const child = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    const waiting = withLease(store, { name: "writing" }, async () => "mine");
    // While it lives it renews what it holds.
    expect(await Promise.race([waiting, sleep(4_000, "theirs")])).toBe("theirs");
    child.kill("SIGKILL");
    await once(child, "close");
    expect(await takeLease(store, lease("writing")), "not before it expired").toBeUndefined();
    expect(await waiting).toBe("mine");
  });

  it("are awaited until the caller gives up", async () => {
    const store = await open();
    await takeLease(store, lease("writing"));
    const stop = new AbortController();
    const waiting = withLease(store, { name: "writing", signal: stop.signal }, async () => "done");
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toMatchObject({ cause: { message: "enough" } });
  });
});
