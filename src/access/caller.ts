import type { Tier } from "./tier.ts";

/** Who calls, told by a key or, without one, by the address. */
export interface Caller {
  tier: Tier;
  /** What is counted: `owner:<id>`, or `address:<keyed hash>` of a caller without a key. Never an address itself. */
  subject: string;
  /** The owner of the key. */
  ownerId?: string;
  /** The public id of the key. */
  keyId?: string;
}
