/** The tiers, least first. */
export const tiers = ["free", "basic", "pro"] as const;

/** What a caller may do and how often; see README.md. */
export type Tier = (typeof tiers)[number];

/** The lowest tier with work in the background: interests, webhooks and batches. It pauses for owners without such a key. */
export const backgroundTier = "pro" satisfies Tier;

/** A tier by its name in the store. @throws Error when there is none: a newer program wrote it. */
export function readTier(name: string): Tier {
  const tier = tiers.find((known) => known === name);
  if (tier === undefined) {
    throw new Error(`There is no tier ${JSON.stringify(name)}`);
  }
  return tier;
}

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
