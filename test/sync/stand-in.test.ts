import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { huggingFaceSource } from "../../src/sources/huggingface.ts";
import { syncSource } from "../../src/sync/sync-source.ts";
import { atEnd } from "../support/at-end.ts";
import { openTestInventory } from "../support/open-test-inventory.ts";
import { keysOf } from "./support/keys-of.ts";

const standIn = "/work/shared/hub/standin.mjs";

describe.skipIf(!existsSync(standIn))("A sync of 3,000 real models, where the stand-in for the Hub is there", () => {
  it("brings them all through its faults, then writes what changed and nothing else", async () => {
    const child = spawn(process.execPath, [standIn, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
    atEnd(() => void child.kill());
    const hubUrl = await new Promise<string>((resolve) =>
      child.stdout.on("data", (chunk) => resolve(/http:\S+/.exec(String(chunk))?.[0] as string)),
    );
    const control = (path: string, body: object) =>
      fetch(`${hubUrl}/_control/${path}`, { method: "POST", body: JSON.stringify(body) });
    const source = huggingFaceSource({ hubUrl, cards: 30, http: { firstWaitMs: 1, attempts: 40 } });
    const inventory = await openTestInventory([]);

    await control("faults", { rate429: 0.2, rate500: 0.15, cut: 0.3, delayMs: 5, retryAfterS: 0 });
    expect(await syncSource(inventory, source)).toMatchObject({
      outcome: "done",
      complete: true,
      listed: 3_000,
      added: 3_000,
      skipped: 0,
    });
    expect(new Set(await keysOf(inventory)).size).toBe(3_000);
    // Other forms of a model are models of their own, and among its variants.
    const base = await inventory.getWithRepackagings("Qwen/Qwen3-8B");
    const forms = new Set(base?.variants.map(({ repository, format }) => `${format} ${repository ?? "its own"}`));
    expect(forms).toContain("safetensors its own");
    expect(forms).toContain("safetensors Qwen/Qwen3-8B-AWQ");
    expect(await inventory.get("Qwen/Qwen3-8B-AWQ")).toMatchObject({ repackaging: true, family: "qwen" });

    const version = await inventory.table.version();
    expect(await syncSource(inventory, source)).toMatchObject({ outcome: "done", unchanged: 3_000, vanished: 0 });
    expect(await inventory.table.version()).toBe(version);

    await control("publish", [
      {
        id: "allenai/OLMoE-1B-7B-0924",
        pipeline_tag: "text-generation",
        tags: ["license:mit"],
        downloads: 5,
        likes: 9,
      },
      { id: "acme/brand-new", pipeline_tag: "text-to-speech", tags: ["license:apache-2.0"], downloads: 7 },
    ]);
    await control("remove", { id: "openai/whisper-tiny" });
    expect(await syncSource(inventory, source)).toMatchObject({ added: 1, changed: 1, unchanged: 2_998, vanished: 1 });
    expect(await inventory.get("allenai/OLMoE-1B-7B-0924")).toMatchObject({ license: "mit", likes: 9 });
  });
});
