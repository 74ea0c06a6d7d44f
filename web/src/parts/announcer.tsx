import { signal } from "@preact/signals";

/** What the live region says to screen readers. */
const announcement = signal("");

/** Says something to screen readers when they have finished what they are saying. */
export function announce(text: string): void {
  // The same text twice is a change only with something between.
  announcement.value = announcement.value === text ? `${text}\u00a0` : text;
}

/** The live region: tells screen readers what changed. */
export function Announcer() {
  return (
    <p class="visually-hidden" role="status" aria-live="polite">
      {announcement}
    </p>
  );
}
