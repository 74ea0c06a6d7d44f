import { quota } from "../../api/quota.ts";
import { count } from "../../format/count.ts";

/** Asks before a link of another site uses up a recommendation. */
export function UnaskedNotice({ onAsk }: { readonly onAsk: () => void }) {
  const { remaining } = quota.value;
  return (
    <section class="notice" aria-labelledby="unasked-title">
      <h2 id="unasked-title">This link brings a question</h2>
      <p>
        Another site opened it, so nothing was asked yet.
        {remaining !== undefined && ` Asking uses one of the ${count(remaining)} recommendations left today.`}
      </p>
      <p>
        <button type="button" class="button is-primary" onClick={onAsk}>
          Ask it
        </button>
      </p>
    </section>
  );
}
