import { signal } from "@preact/signals";

/** The text of the live region. */
const announcement = signal("");

/** Makes screen readers say something after they finished speaking. */
export function announce(text: string): void {
  // The same text again would be no change.
  announcement.value = announcement.value === text ? `${text}\u00a0` : text;
}

/** The live region, from which screen readers read changes. */
export function Announcer() {
  return (
    <p class="visually-hidden" role="status" aria-live="polite">
      {announcement}
    </p>
  );
}
