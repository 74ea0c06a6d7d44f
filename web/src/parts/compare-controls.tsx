import { compared, isCompared, toggleCompared } from "../state/compared.ts";
import { formatRoute, MAX_COMPARED } from "../state/route.ts";
import { Icon } from "./icon.tsx";
import { announce } from "./view-frame.tsx";

/** Selects a model for comparison, or removes it. */
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
      title={isFull ? `${MAX_COMPARED} models are selected; remove one first` : undefined}
      onClick={() => {
        toggleCompared(name);
        announce(`${compared.value.length} of ${MAX_COMPARED} models are selected for comparison.`);
      }}
    >
      <Icon name={isPicked ? "check" : "plus"} />
      Compare
    </button>
  );
}

/** The models selected for comparison, with a link to the comparison. */
export function CompareTray() {
  const names = compared.value;
  if (names.length === 0) {
    return null;
  }
  return (
    <aside class="tray" aria-label="Models selected for comparison">
      <p>
        <b>{names.length}</b> of {MAX_COMPARED} selected
        <span class="tray-names">{names.map((name) => name.slice(name.indexOf("/") + 1)).join(", ")}</span>
      </p>
      <button
        type="button"
        class="button is-quiet is-small"
        onClick={() => {
          compared.value = [];
        }}
      >
        Clear
      </button>
      <a class="button is-primary is-small" href={formatRoute({ view: "compare", names })}>
        Compare
      </a>
    </aside>
  );
}
