import type { RecommendResponse } from "../../../../src/client.ts";
import { limitFields, type NeedDraft } from "../../need/need-draft.ts";
import { Icon } from "../../parts/icon.tsx";
import { formatRoute } from "../../state/route.ts";
import { count, countOf } from "../../words/numbers.ts";
import { EmptyAnswer } from "./empty-answer.tsx";
import { ResultCard } from "./result-card.tsx";
import { UnderstoodPanel } from "./understood-panel.tsx";

interface AnswerProps {
  readonly answer: RecommendResponse;
  readonly need: NeedDraft;
  /** Whether a newer answer is being loaded. */
  readonly isStale: boolean;
}

/** What was understood, and the ranked models. */
export function AnswerView({ answer, need, isStale }: AnswerProps) {
  const { results, understood, modelsSearched, modelsAfterFilter, queryTimeMs } = answer;
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
              <ResultCard result={result} rank={i + 1} hardware={need.hardware} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
