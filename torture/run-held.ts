import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startService } from "../bench/support/start-service.ts";
import { type HeldOptions, held } from "./held.ts";

/** Starts a service for `held` and stops it afterwards. @returns the broken promises; empty if there are none. */
export async function runHeld(options: Omit<HeldOptions, "url">): Promise<string[]> {
  const home = await mkdtemp(join(tmpdir(), "modelscout-held-"));
  // All calls come at once here; another test checks refusals because of load.
  const service = await startService(home, { MODELSCOUT_CONCURRENCY: "10000", LOG_LEVEL: "silent" });
  try {
    return await held({ ...options, url: service.url });
  } finally {
    await service.stop();
    await rm(home, { recursive: true, force: true });
  }
}
