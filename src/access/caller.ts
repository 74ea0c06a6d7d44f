import type { Tier } from "./tier.ts";

/** A network around that of a caller without a key, all of which has a share together. */
export interface WiderSubject {
  subject: string;
  /** The length of its prefix in bits. */
  bits: number;
  /** The share, as a multiple of one caller's. */
  times: number;
}

/** Who calls, told by a key or, without one, by the address. */
export interface Caller {
  tier: Tier;
  /** What is counted: `owner:<id>`, or `address:<keyed hash>` of a caller without a key. Never an address itself. */
  subject: string;
  /** What is counted besides. Default: nothing. */
  wider?: readonly WiderSubject[];
  /** The owner of the key. */
  ownerId?: string;
  /** The public id of the key. */
  keyId?: string;
}
