import type { RecommendResponse, Understood } from "../../../../packages/client/src/index.ts";
import { isMachine, isSameMachine, machineLabel } from "../../machine/machine.ts";
import { MachineLink } from "../../machine/machine-dialog.tsx";
import { myMachine } from "../../machine/my-machine.ts";
import { emptyNeed, type limitFields, limitsOf, type NeedDraft } from "../../need/need-draft.ts";
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
  const machine = isMachine(need.device) ? need.device : myMachine.value;
  const hasLimits = limitsOf(need).length > 0;
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
      <MachineNote need={need} />
      {results.length === 0 ? (
        <EmptyAnswer need={need} modelsSearched={modelsSearched} />
      ) : (
        <ol class="cards">
          {results.map((result, i) => (
            <li key={result.model?.name}>
              <ResultCard result={result} rank={i + 1} hardware={hardware} machine={machine} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

/** Says which machine the answer is for, with ways to change it. */
function MachineNote({ need }: { readonly need: NeedDraft }) {
  const mine = myMachine.value;
  const isOther = isMachine(mine) && !isSameMachine(mine, need.device);
  if (!isMachine(need.device) && (!isOther || need.hardware !== "")) {
    return null;
  }
  return (
    <p class="machine-note">
      {isMachine(need.device) ? (
        <span>
          Only models that run well on <b>{machineLabel(need.device)}</b>, with their fit and speed on it.
        </span>
      ) : (
        <span>For any hardware.</span>
      )}
      {isOther && (
        <button
          type="button"
          class="button is-small"
          onClick={() => navigate({ view: "search", need: { ...need, hardware: "", device: mine } })}
        >
          Ask again for my machine: {machineLabel(mine)}
        </button>
      )}
      <MachineLink />
    </p>
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
  capabilities: "ability to",
  min_parameters: "minimum parameters",
  max_parameters: "maximum parameters",
  device: "machine",
  min_tokens_per_second: "minimum speed",
  exclude_gated: "consent",
};

/** Says why there are no results, and offers to remove limits one by one. */
function EmptyAnswer({ need, modelsSearched }: { readonly need: NeedDraft; readonly modelsSearched: number }) {
  const set = limitsOf(need);
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
  const without = (field: (typeof limitFields)[number]) =>
    navigate({ view: "search", need: { ...need, [field]: emptyNeed[field] } });
  return (
    <div class="notice">
      <p>No model meets all limits. A limit also removes models for which the fact is unknown. Remove one:</p>
      <ul class="chips">
        {set.map(({ field, text }) => (
          <li key={field}>
            <button type="button" class="button is-small" onClick={() => without(field)}>
              {field === "exclude_gated" ? "with models that ask for consent" : `without ${labels[field]} “${text}”`}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
