import { useEffect } from "preact/hooks";
import type { CompareModelsResponse } from "../../../../packages/client/src/index.ts";
import type { CallError } from "../../api/call-error.ts";
import { calls } from "../../api/calls.ts";
import { useCall } from "../../api/use-call.ts";
import { type ChosenHardware, useHardwareChoice } from "../../machine/hardware-choice.tsx";
import { myMachine } from "../../machine/my-machine.ts";
import { CallPanel } from "../../parts/call-panel.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ModelName } from "../../parts/model-name.tsx";
import { ModelSearch } from "../../parts/model-search.tsx";
import { ViewHeading, Waiting } from "../../parts/view-frame.tsx";
import { compared } from "../../state/compared.ts";
import { navigate } from "../../state/navigation.ts";
import { formatRoute, MAX_COMPARED } from "../../state/route.ts";
import { CompareFigures } from "./compare-figures.tsx";
import { BoardTable, FactTable } from "./compare-table.tsx";

/** The fewest models of a comparison. */
const LEAST = 2;

/** Two to eight models side by side. */
export function CompareView({ names }: { readonly names: readonly string[] }) {
  const chosen = useHardwareChoice(undefined, myMachine.value);
  const where = chosen.classId === undefined ? { device: chosen.hardware } : { hardware: chosen.classId };
  const call = names.length < LEAST ? undefined : calls.compare({ names: [...names], ...where });
  const { answer, error, isLoading, retry } = useCall(call);
  const set = (next: readonly string[]) => navigate({ view: "compare", names: [...new Set(next)] });
  const remove = (name: string) => set(names.filter((other) => other.toLowerCase() !== name.toLowerCase()));
  useEffect(() => {
    // The models on screen are the selected ones, also when a link opened them.
    compared.value = names;
  }, [names.join("\n")]);
  return (
    <>
      <ViewHeading>Compare</ViewHeading>
      <p class="lead">{leadOf(names.length)}</p>
      {names.length < MAX_COMPARED && (
        <div class="compare-form">
          <ModelSearch
            id="compare-name"
            label="Add a model"
            placeholder="a part of its name"
            onPick={(name) => set([...names, name])}
            onEnter={(name) => set([...names, name])}
          />
        </div>
      )}
      {names.length < LEAST && (
        <ul class="chips compare-chosen">
          {names.map((name) => (
            <li key={name} class="chip">
              <ModelName name={name} />
              <button type="button" aria-label={`Remove ${name}`} onClick={() => remove(name)}>
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {call !== undefined && error !== undefined && (
        <CompareError error={error} retry={retry} names={names} remove={remove} />
      )}
      {isLoading && answer === undefined && <Waiting what="Comparing …" />}
      {call !== undefined && answer !== undefined && error === undefined && (
        <Comparison answer={answer} chosen={chosen} isStale={isLoading} remove={remove} />
      )}
      {call !== undefined && error === undefined && <CallPanel call={call} />}
    </>
  );
}

function leadOf(count: number): string {
  if (count === 0) {
    return "Select models with their “Compare” buttons, or find one here.";
  }
  return count < LEAST ? "Add another model." : "The same figures for each model. You can share this address.";
}

interface ComparisonProps {
  readonly answer: CompareModelsResponse;
  readonly chosen: ChosenHardware;
  /** Whether a newer answer is being loaded. */
  readonly isStale: boolean;
  readonly remove: (name: string) => void;
}

function Comparison({ answer, chosen, isStale, remove }: ComparisonProps) {
  const { models, boards, differences, estimates } = answer;
  return (
    <div class={isStale ? "is-stale" : undefined} aria-busy={isStale}>
      <FactTable models={models} differing={new Set(differences.map(({ field }) => field))} onRemove={remove} />
      <CompareFigures estimates={estimates} chosen={chosen} />
      <BoardTable models={models} boards={boards} />
    </div>
  );
}

interface CompareErrorProps {
  readonly error: CallError;
  readonly retry: () => void;
  readonly names: readonly string[];
  readonly remove: (name: string) => void;
}

/** Says why models cannot be compared; for names that do not exist, each with the nearest ones. */
function CompareError({ error, retry, names, remove }: CompareErrorProps) {
  const missing = error.kind === "not-found" ? error.missing : [];
  if (missing.length === 0) {
    return <ErrorNotice error={error} retry={retry} />;
  }
  return (
    <>
      {missing.map(({ field, description }) => {
        const name = names[Number(/\[(\d+)\]/.exec(field)?.[1])] ?? "";
        const nearest = /; the nearest names: (.*)$/s.exec(description)?.[1]?.split(", ") ?? [];
        return (
          <div key={field} class="compare-error">
            <ErrorNotice
              error={{ kind: "not-found", message: description, nearest, missing: [] }}
              retry={retry}
              hrefOf={(near) =>
                formatRoute({ view: "compare", names: names.map((other) => (other === name ? near : other)) })
              }
            />
            <button type="button" class="button is-small" onClick={() => remove(name)}>
              Remove {name}
            </button>
          </div>
        );
      })}
    </>
  );
}
