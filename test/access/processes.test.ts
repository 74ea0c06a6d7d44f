import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { StoreOptions } from "../../src/store/connect-store.ts";
import { describeAccess } from "./support/describe-access.ts";
import type { ReserveOptions } from "./support/reserve-in-process.ts";

const script = fileURLToPath(new URL("support/reserve-in-process.ts", import.meta.url));
const noon = Date.parse("2030-05-05T12:00:00Z");

interface Ended {
  given: number;
  /** Undefined when it did not come to its end. */
  refused: number | undefined;
}

/** Runs the script until it ends, or is killed after so many reservations. */
async function reserve(
  at: StoreOptions,
  calls: Pick<ReserveOptions, "atOnce" | "rounds">,
  killAfter = Infinity,
): Promise<Ended> {
  const options: ReserveOptions = { ...at, ...calls, now: noon };
  const child = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  const ended: Ended = { given: 0, refused: undefined };
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === "given") {
      ended.given++;
    }
    if (line.startsWith("refused ")) {
      ended.refused = Number(line.split(" ")[1]);
    }
    if (ended.given >= killAfter) {
      child.kill("SIGKILL");
    }
  }
  const [code, signal] = await closed;
  if (killAfter === Infinity) {
    expect({ code, signal }).toEqual({ code: 0, signal: null });
  }
  return ended;
}

describeAccess("processes that share a store", ({ place, openAccess }) => {
  const used = async (at: StoreOptions) => {
    const { access } = await openAccess({ at });
    return (await access.usage(await access.authenticate({ keys: [], address: "203.0.113.7" }))).used;
  };

  it("give 500 parallel calls exactly 10 answers together", async () => {
    const at = await place();
    // They find nothing, so they migrate it at once too.
    const ended = await Promise.all([1, 2].map(() => reserve(at, { atOnce: 50, rounds: 5 })));
    expect(ended.reduce((sum, { given }) => sum + given, 0)).toBe(10);
    expect(ended.reduce((sum, { refused = 0 }) => sum + refused, 0)).toBe(490);
    expect(await used(at)).toBe(10);
  });

  it("that are killed in between never give more than 10 answers a day", async () => {
    const at = await place();
    let given = 0;
    let kills = 0;
    for (let isOver = false; !isOver; ) {
      const ended = await reserve(at, { atOnce: 1, rounds: 300 }, 1);
      given += ended.given;
      isOver = ended.refused !== undefined;
      if (!isOver) {
        kills++;
      }
    }
    expect(kills).toBeGreaterThan(0);
    expect(given).toBeLessThanOrEqual(10);
    // Only what was counted and not yet answered can be lost: one call each time.
    expect(given).toBeGreaterThanOrEqual(10 - kills);
    expect(await used(at)).toBe(10);
    expect((await reserve(at, { atOnce: 10, rounds: 1 })).given).toBe(0);
  });
});
