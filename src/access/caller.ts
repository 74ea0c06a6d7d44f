/** The tiers, lowest first. */
export const tiers = ["free", "basic", "pro"] as const;

/** Decides which methods a caller has, and how often it may call them; see README.md. */
export type Tier = (typeof tiers)[number];

/** The lowest tier with interests, webhooks and batches. Their work pauses for owners without a key of this tier. */
export const backgroundTier = "pro" satisfies Tier;

/** A tier by its name in the store. @throws Error if there is none, because a newer version wrote it. */
export function readTier(name: string): Tier {
  const tier = tiers.find((known) => known === name);
  if (tier === undefined) {
    throw new Error(`There is no tier ${JSON.stringify(name)}`);
  }
  return tier;
}

/** A network around that of a caller without a key. All of its callers share one quota. */
export interface WiderSubject {
  subject: string;
  /** The length of its prefix in bits. */
  bits: number;
  /** The share, as a multiple of one caller's. */
  times: number;
}

/** A caller, identified by a key or, without one, by its address. */
export interface Caller {
  tier: Tier;
  /** The subject of its counts: `owner:<id>`, or `address:<keyed hash>` without a key. Never an address itself. */
  subject: string;
  /** Whether it has no daily limit, whatever its tier: the operator's own machine, if that is set. Default: no. */
  isUnlimited?: boolean;
  /** Further subjects that its use counts for. Default: none. */
  wider?: readonly WiderSubject[];
  /** The owner of the key. */
  ownerId?: string;
  /** The public id of the key. */
  keyId?: string;
}
