import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { startModelHub, type WireModel } from "../../../support/servers/model-hub-server.ts";
import { program } from "../../support/run-program.ts";

const { home, run } = program();
const DAY_MS = 86_400_000;

const wireModel = (id: string, downloads: number): WireModel => ({
  id,
  pipeline_tag: "text-generation",
  tags: ["license:mit"],
  downloads,
  sha: id,
  lastModified: "2026-05-01T10:00:00.000Z",
  safetensors: { parameters: { BF16: 8_190_735_360 } },
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(join(home, "state"), { recursive: true, force: true });
});

it("estimates a model that its source dropped for a week, and then asks for its size without suggesting itself", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const kept = "acme/swift-8b-instruct";
  const dropped = "acme/swift-8b-chat";
  const hub = await startModelHub([wireModel(kept, 20), wireModel(dropped, 10)]);
  const env = { MODELSCOUT_STARTER: "off", MODELSCOUT_HUB_URL: hub.url };
  const sync = async () => {
    const { code, stderr, stdout } = await run(["sync", "huggingface", "--cards", "0", "--json"], { env });
    expect({ code, stderr: stderr.replace(/^Syncing .*\n/gm, "") }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout).syncs[0];
  };
  const howItRuns = (...args: string[]) => run(["fit", ...args, "--gpu", "RTX 3060"], { env });

  expect(await sync()).toMatchObject({ added: 2 });
  hub.models.delete(dropped);
  expect(await sync()).toMatchObject({ vanished: 1, removed: 0 });
  const before = await howItRuns(dropped);
  expect(before).toMatchObject({ code: 0, stderr: "" });
  expect(before.stdout).toMatch(/^ {3}Q4_K_M ~? .* fits /m);

  vi.setSystemTime(Date.now() + 8 * DAY_MS);
  expect(await sync()).toMatchObject({ removed: 1 });
  const after = await howItRuns(dropped);
  expect(after.code).not.toBe(0);
  expect(after.stderr).toContain(dropped);
  const [, nearest = ""] = after.stderr.split("the nearest names: ");
  expect(nearest).toContain(kept);
  expect(nearest).not.toContain(dropped);
  expect(nearest).toContain("--parameters");
  expect(await howItRuns(dropped, "--parameters", "8B")).toMatchObject({ code: 0, stderr: "" });
});
