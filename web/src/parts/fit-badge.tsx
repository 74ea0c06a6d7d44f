import { fitOf } from "../words/hardware.ts";

/** How a model fits a device, as a word and a colour. */
export function FitBadge({ fit }: { readonly fit: string }) {
  return (
    <span class={`fit fit-${fit}`} title={fitOf(fit).meaning}>
      {fitOf(fit).label}
    </span>
  );
}
