import { announcement } from "../state/announcement.ts";

/** The live region: tells screen readers what changed. */
export function Announcer() {
  return (
    <p class="visually-hidden" role="status" aria-live="polite">
      {announcement}
    </p>
  );
}
