import { signal } from "@preact/signals";

/** What the live region says to screen readers. */
export const announcement = signal("");

/** Says something to screen readers when they have finished what they are saying. */
export function announce(text: string): void {
  // The same text twice is a change only with something between.
  announcement.value = announcement.value === text ? `${text}\u00a0` : text;
}
