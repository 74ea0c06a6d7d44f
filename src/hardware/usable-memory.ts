import type { DeviceKind } from "./types.ts";

/** Card memory is sold in binary gigabytes: "24 GB" holds 25.8 x 10^9 bytes. */
const BINARY_GB = 1.0737;

/** Share of a card's memory that the driver's page tables and fragmentation leave. */
const CARD_SHARE = 0.97;
/** What the driver's context and a desktop take, in GB. */
const CARD_RESERVE_GB = 0.4;

/** macOS lets the GPU wire about two thirds of memory up to 36 GB, three quarters above. */
const APPLE_SMALL_SHARE = 0.6875;
const APPLE_LARGE_SHARE = 0.75;
const APPLE_LARGE_FROM_GB = 36;

/** Linux and Windows on shared memory: what graphics drivers and the system leave. */
const SHARED_SHARE = 0.9;
const SHARED_RESERVE_GB = 4;

/** A processor's memory: the larger of three quarters and all but 4 GB. */
const SYSTEM_SHARE = 0.75;

/** What one device of a given memory leaves for a model, in 10^9 bytes. */
export function usableMemoryGb(kind: DeviceKind, memoryGb: number, apple = false): number {
  if (kind === "gpu") return Math.max(memoryGb * 0.5, memoryGb * BINARY_GB * CARD_SHARE - CARD_RESERVE_GB);
  if (apple) return memoryGb * (memoryGb > APPLE_LARGE_FROM_GB ? APPLE_LARGE_SHARE : APPLE_SMALL_SHARE);
  if (kind === "unified") return Math.max(memoryGb * SYSTEM_SHARE, memoryGb * SHARED_SHARE - SHARED_RESERVE_GB);
  return Math.max(memoryGb * SYSTEM_SHARE, memoryGb - SHARED_RESERVE_GB);
}
