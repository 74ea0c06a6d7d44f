import { limitFields, type NeedDraft } from "../../need/need-draft.ts";
import { navigate } from "../../state/navigation.ts";

const labels: Record<(typeof limitFields)[number], string> = {
  task_type: "kind of work",
  hardware: "hardware",
  license: "licence",
  max_size_gb: "largest download",
  languages: "languages",
  min_context_length: "least context",
};

/** Says why nothing is left, and offers to take limits away one by one. */
export function EmptyAnswer({ need, modelsSearched }: { readonly need: NeedDraft; readonly modelsSearched: number }) {
  const set = limitFields.filter((field) => need[field].trim() !== "");
  if (modelsSearched === 0) {
    return (
      <p class="notice">
        The inventory is empty. <code>npx modelscout import models.jsonl</code> fills it.
      </p>
    );
  }
  if (set.length === 0) {
    return <p class="notice">Nothing in the inventory is near to this need. Other words may help.</p>;
  }
  const without = (field: (typeof limitFields)[number]) => navigate({ view: "search", need: { ...need, [field]: "" } });
  return (
    <div class="notice">
      <p>
        No model is known to keep all the limits together. Limits hold without exception: a model whose facts are
        unknown does not pass. Take one away:
      </p>
      <ul class="chips">
        {set.map((field) => (
          <li key={field}>
            <button type="button" class="button is-small" onClick={() => without(field)}>
              without {labels[field]} “{need[field]}”
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
