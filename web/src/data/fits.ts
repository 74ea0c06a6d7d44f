/** How a model fits a device: the contract's words, as people say them. */
export const fits = {
  fits: { label: "Fits", meaning: "with room to spare" },
  tight: { label: "Tight", meaning: "fits with little room" },
  offload: { label: "Offloads", meaning: "a part runs from system memory, slowly" },
  "too-large": { label: "Too large", meaning: "does not run" },
} as const;

/** What a word of the contract means; the word itself where a newer service has another. */
export function fitOf(fit: string): { label: string; meaning: string } {
  return Object.hasOwn(fits, fit) ? fits[fit as keyof typeof fits] : { label: fit, meaning: "" };
}
