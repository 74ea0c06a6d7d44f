/**
 * Delivers to loopback in a process of its own until it is killed, and prints `ready` when it has started. Its argument
 * is JSON with the place of the store.
 */
import { writeSync } from "node:fs";
import type { StoreOptions } from "../../../src/store/connect-store.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { openWebhooks } from "../../../src/webhooks/open-webhooks.ts";

const { aheadMs, ...options } = JSON.parse(process.argv[2] as string) as DeliverOptions;

export interface DeliverOptions extends StoreOptions {
  secretKey: string;
  /** How far its clock is ahead, so that claims of an earlier process have expired. */
  aheadMs: number;
}

const { start } = await openWebhooks(await openStore(options), {
  ...options,
  webhooksPerOwner: 20,
  webhookAllow: ["127.0.0.0/8"],
  webhookSchedule: [20, 20, 20, 20, 20, 20, 20, 20],
  tier: "pro",
  userAgent: "modelscout/test",
  log: console,
  now: () => Date.now() + aheadMs,
});
start();
writeSync(1, "ready\n");
