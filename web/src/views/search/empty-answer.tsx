import { limitFields, type NeedDraft } from "../../need/need-draft.ts";
import { navigate } from "../../state/navigation.ts";

const labels: Record<(typeof limitFields)[number], string> = {
  task_type: "task type",
  hardware: "hardware",
  license: "licence",
  max_size_gb: "largest download",
  languages: "languages",
  min_context_length: "minimum context",
};

/** Says why there are no results, and offers to remove limits one by one. */
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
    return <p class="notice">No model in the inventory is close to this need. Try other words.</p>;
  }
  const without = (field: (typeof limitFields)[number]) => navigate({ view: "search", need: { ...need, [field]: "" } });
  return (
    <div class="notice">
      <p>No model passes all limits. A limit also removes models for which the fact is unknown. Remove one:</p>
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
