import { quota } from "../api/quota.ts";
import { count, duration } from "../words/formats.ts";

/** The rest of today's recommendations. */
export function QuotaMeter() {
  const { tier, remaining, limit, resetAt } = quota.value;
  if (tier === undefined && remaining === undefined) {
    return null;
  }
  const name = tier && tier.charAt(0).toUpperCase() + tier.slice(1);
  if (remaining === undefined) {
    return (
      <span class="quota">
        {name}
        <span class="wide-only"> · unlimited</span>
      </span>
    );
  }
  const reset = resetAt && `resets in ${duration(resetAt.getTime() - Date.now())}`;
  return (
    <span class={remaining === 0 ? "quota is-used-up" : "quota"} title={reset}>
      {name !== undefined && <span class="wide-only">{name} · </span>}
      <b>{count(remaining)}</b>
      {limit !== undefined && <span class="wide-only quota-limit"> of {count(limit)}</span>} left
      <span class="wide-only quota-limit"> today</span>
    </span>
  );
}
