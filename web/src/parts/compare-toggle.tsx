import { announce } from "../state/announcement.ts";
import { compared, isCompared, toggleCompared } from "../state/compared.ts";
import { MAX_COMPARED } from "../state/route.ts";
import { Icon } from "./icon.tsx";

/** Picks a model for comparing, or takes it away. */
export function CompareToggle({ name }: { readonly name: string }) {
  const isPicked = isCompared(name);
  const isFull = !isPicked && compared.value.length >= MAX_COMPARED;
  return (
    <button
      type="button"
      class="button is-small"
      aria-pressed={isPicked}
      aria-label={`Compare ${name}`}
      disabled={isFull}
      title={isFull ? `Four models are picked; take one away first` : undefined}
      onClick={() => {
        toggleCompared(name);
        announce(`${compared.value.length} of ${MAX_COMPARED} models are picked for comparing.`);
      }}
    >
      <Icon name={isPicked ? "check" : "plus"} />
      Compare
    </button>
  );
}
