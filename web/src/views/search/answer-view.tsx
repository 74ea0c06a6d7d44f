import type { RecommendResponse, Understood } from "../../../../src/client.ts";
import { limitFields, type NeedDraft } from "../../need/need-draft.ts";
import { Icon } from "../../parts/icon.tsx";
import { navigate } from "../../state/navigation.ts";
import { formatRoute } from "../../state/route.ts";
import { count, countOf } from "../../words/formats.ts";
import { ResultCard } from "./result-card.tsx";
import { ignoring, UnderstoodPanel } from "./understood-panel.tsx";

interface AnswerProps {
  readonly answer: RecommendResponse;
  readonly need: NeedDraft;
  /** Whether a newer answer is being loaded. */
  readonly isStale: boolean;
}

/** What was understood, and the ranked models. */
export function AnswerView({ answer, need, isStale }: AnswerProps) {
  const { results, understood, modelsSearched, modelsAfterFilter, queryTimeMs } = answer;
  const hardware = need.hardware || understoodHardware(understood, need.ignore);
  const hasLimits = limitFields.some((field) => need[field].trim() !== "");
  return (
    <div class={isStale ? "answer is-stale" : "answer"}>
      {understood !== undefined && <UnderstoodPanel understood={understood} need={need} />}
      <header class="answer-head">
        <h2>{results.length === 0 ? "No model found" : `${countOf(results.length, "model")}, best first`}</h2>
        <p class="hint">
          {count(modelsSearched)} searched
          {hasLimits && `, ${count(modelsAfterFilter)} pass your limits`}, in {Math.max(1, Math.round(queryTimeMs))} ms
        </p>
        <a class="button is-quiet is-small" href={formatRoute({ view: "live", need })}>
          <Icon name="bell" /> Watch for new models
        </a>
      </header>
      {results.length === 0 ? (
        <EmptyAnswer need={need} modelsSearched={modelsSearched} />
      ) : (
        <ol class="cards">
          {results.map((result, i) => (
            <li key={result.model?.name}>
              <ResultCard result={result} rank={i + 1} hardware={hardware} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

/** The class of hardware that models are judged on because of the need's words; empty for none. */
function understoodHardware(understood: Understood | undefined, ignore: readonly string[]): string {
  const wishes = (understood?.wishes ?? []).filter((wish) => ignoring(wish, ignore).length === 0);
  return wishes.find(({ hardwareClass }) => hardwareClass !== undefined)?.hardwareClass ?? "";
}

const labels: Record<(typeof limitFields)[number], string> = {
  task_type: "task type",
  hardware: "hardware",
  license: "licence",
  max_size_gb: "largest download",
  languages: "languages",
  min_context_length: "minimum context",
};

/** Says why there are no results, and offers to remove limits one by one. */
function EmptyAnswer({ need, modelsSearched }: { readonly need: NeedDraft; readonly modelsSearched: number }) {
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
