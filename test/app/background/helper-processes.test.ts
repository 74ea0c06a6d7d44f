import { execFileSync } from "node:child_process";
import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { BatchRecommendAnswerSchema, type RecommendResponse } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { HelperProcesses } from "../../../src/app/background/helper-processes.ts";
import { readConfig } from "../../../src/config/config.ts";
import { type RecommendPacked, recommendPacked } from "../../../src/rpc/recommendation/answer-batch-need.ts";
import { openTestInventory } from "../../support/service/open-test-inventory.ts";

const need = { description: "transcribe meetings" };

/** Helpers for an inventory of two models. */
async function testHelpers(settings: Record<string, string> = {}) {
  const { database, inventory } = await openTestInventory([
    { name: "acme/listener", task_types: ["automatic-speech-recognition"], description: "transcribes speech" },
    { name: "acme/painter", task_types: ["text-to-image"], description: "paints pictures" },
  ]);
  const { config } = readConfig({ MODELSCOUT_HOME: database.location.lockFolder, ...settings });
  const warnings: string[] = [];
  let countHere = 0;
  const here: RecommendPacked = (asked, signal) => {
    countHere += 1;
    return recommendPacked(inventory, asked, signal);
  };
  const log = { warn: ({ err }: { err?: unknown }) => warnings.push(String(err)) };
  const helpers = new HelperProcesses({ config, most: 1, here, log });
  onTestFinished(() => helpers.stop());
  const answer = async () => responseIn(await helpers.recommendFor(need, new AbortController().signal));
  return { helpers, answer, inventory, warnings, answeredHere: () => countHere };
}

function responseIn(packed: string): RecommendResponse {
  const { answer } = fromBinary(BatchRecommendAnswerSchema, Buffer.from(packed, "base64"));
  return { ...(answer.value as RecommendResponse), queryTimeMs: 0 };
}

/** The processes that this one has started. */
function children(): string[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => parent === String(process.pid) && args.join(" ").includes("background/process"))
    .map(([pid = ""]) => pid);
}

describe("Helper processes", () => {
  it("start for many needs, answer as the service does, and stop", { timeout: 60_000 }, async () => {
    const { helpers, answer, inventory, warnings, answeredHere } = await testHelpers();
    expect(helpers.places(10)).toBe(0);
    expect(children()).toEqual([]);
    await expect.poll(() => helpers.places(5_000), { timeout: 50_000 }).toBeGreaterThan(0);
    expect(children()).toHaveLength(1);
    const expected = responseIn(await recommendPacked(inventory, need));
    expect(expected.results[0]?.model?.name).toBe("acme/listener");
    expect(await Promise.all([answer(), answer(), answer()])).toEqual([expected, expected, expected]);
    expect(answeredHere()).toBe(0);
    await helpers.stop();
    expect(children()).toEqual([]);
    expect(helpers.places(5_000)).toBe(0);
    expect(warnings).toEqual([]);
  });

  it("stop before they are ready, without being killed", { timeout: 60_000 }, async () => {
    const { helpers, warnings } = await testHelpers();
    helpers.places(5_000);
    await helpers.stop();
    expect(children()).toEqual([]);
    // One that does not stop by itself is killed, with a warning.
    expect(warnings).toEqual([]);
  });

  it("lose no need when they are killed", { timeout: 60_000 }, async () => {
    const { helpers, answer, warnings, answeredHere } = await testHelpers();
    await expect.poll(() => helpers.places(5_000), { timeout: 50_000 }).toBeGreaterThan(0);
    const [pid] = children();
    const answers = [answer(), answer(), answer()];
    process.kill(Number(pid), "SIGKILL");
    for (const { results } of await Promise.all(answers)) {
      expect(results[0]?.model?.name).toBe("acme/listener");
    }
    expect(answeredHere()).toBeGreaterThan(0);
    expect(warnings).toEqual([expect.stringContaining("SIGKILL")]);
    // Not at once again: it may fail each time.
    expect(helpers.places(5_000)).toBe(0);
    expect(children()).toEqual([]);
  });

  it("are not used if they cannot open the inventory", { timeout: 60_000 }, async () => {
    const { helpers, answer, warnings } = await testHelpers({ MODELSCOUT_INVENTORY_URI: "nowhere://at-all" });
    // As long as a batch asks for them, they do not stop.
    await expect
      .poll(() => helpers.places(5_000) || warnings, { timeout: 50_000 })
      .toEqual([expect.stringContaining("nowhere")]);
    expect(helpers.places(5_000)).toBe(0);
    expect((await answer()).results[0]?.model?.name).toBe("acme/listener");
  });
});
