/** The tiers, least first. */
export const tiers = ["free", "basic", "pro"] as const;

/** What a caller may do and how often; see README.md. */
export type Tier = (typeof tiers)[number];

/** A tier by its name in the store. @throws Error when there is none: a newer program wrote it. */
export function readTier(name: string): Tier {
  const tier = tiers.find((known) => known === name);
  if (tier === undefined) throw new Error(`There is no tier ${JSON.stringify(name)}`);
  return tier;
}
