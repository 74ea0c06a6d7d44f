import { compared } from "../state/compared.ts";
import { formatRoute, MAX_COMPARED } from "../state/route.ts";

/** The models picked for comparing, and the way there. */
export function CompareTray() {
  const names = compared.value;
  if (names.length === 0) {
    return null;
  }
  return (
    <aside class="tray" aria-label="Models picked for comparing">
      <p>
        <b>{names.length}</b> of {MAX_COMPARED} picked
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
