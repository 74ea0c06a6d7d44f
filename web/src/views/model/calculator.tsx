import { useEffect, useState } from "preact/hooks";
import type { ModelEntry } from "../../../../packages/client/src/index.ts";
import { calls } from "../../api/calls.ts";
import { useCall } from "../../api/use-call.ts";
import { emptyMachine, isMachine, isSameMachine, type MachineDraft, machineOf } from "../../machine/machine.ts";
import { CardFields, FigureFields } from "../../machine/machine-fields.tsx";
import { myMachine } from "../../machine/my-machine.ts";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { describedBy, Field } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { announce, Waiting } from "../../parts/view-frame.tsx";
import { navigate } from "../../state/navigation.ts";
import { type CalculatorDraft, emptyCalculator } from "../../state/route.ts";
import { EstimateView } from "./estimate-view.tsx";
import { calculatorField, readCalculator } from "./read-calculator.ts";

/** Cards with a button of their own. */
const QUICK = ["RTX 3060", "RTX 4090", "M3 Max"];

interface CalculatorProps {
  readonly entry: ModelEntry;
  /** The calculator's fields in the address. */
  readonly draft: CalculatorDraft;
}

/** Estimates how the model runs on any hardware, by name or by figures. */
export function Calculator({ entry, draft: inAddress }: CalculatorProps) {
  const mine = myMachine.value;
  // Without anything in the address, it estimates for the visitor's own machine.
  const asked = isSameMachine(inAddress, emptyMachine) ? { ...inAddress, ...mine } : inAddress;
  const [draft, setDraft] = useState(asked);
  const askedText = JSON.stringify(asked);
  useEffect(() => setDraft(asked), [askedText]);
  const isAsked = askedText !== JSON.stringify(emptyCalculator);
  const read = readCalculator(entry.name, asked);
  const call = isAsked && "request" in read ? calls.estimate(read.request) : undefined;
  const { answer, error, isLoading, retry } = useCall(call);
  const violations = "violations" in read ? read.violations : error?.kind === "fields" ? error.violations : [];
  useEffect(() => {
    if (answer !== undefined && isAsked) {
      announce(`On ${answer.hardware}: ${answer.fit}.`);
    }
  }, [answer]);

  const ask = (next: CalculatorDraft) =>
    navigate({ view: "model", name: entry.name, calculator: next }, { replace: true });
  const onMachine = (machine: MachineDraft): CalculatorDraft => ({ ...draft, ...machine });
  const problemOf = (name: keyof CalculatorDraft) =>
    violations.find((violation) => calculatorField(violation.field) === name)?.description;
  const fields = {
    id: "calculator",
    draft,
    problemOf,
    onChange: (change: Partial<MachineDraft>) => setDraft({ ...draft, ...change }),
  };
  const otherViolations = violations.filter((violation) => calculatorField(violation.field) === undefined);

  return (
    <section class="panel" aria-labelledby="calculator-title">
      <h2 id="calculator-title">On your own hardware</h2>
      <form
        class="calculator"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          ask(draft);
        }}
      >
        <div class="limit-grid">
          <CardFields {...fields} />
          <Field id="calculator-context" label="Context, tokens" problem={problemOf("context")}>
            <input
              {...describedBy({ id: "calculator-context", problem: problemOf("context") })}
              value={draft.context}
              placeholder="8192"
              inputmode="numeric"
              autocomplete="off"
              onInput={(event) => setDraft({ ...draft, context: event.currentTarget.value })}
            />
          </Field>
          <Field id="calculator-quantization" label="Quantization">
            <select
              id="calculator-quantization"
              value={draft.quantization}
              onInput={(event) => setDraft({ ...draft, quantization: event.currentTarget.value })}
            >
              <option value="">Best that fits</option>
              {[...new Set(entry.variants.map(({ quantization }) => quantization))].map((quantization) => (
                <option key={quantization} value={quantization}>
                  {quantization}
                </option>
              ))}
            </select>
          </Field>
        </div>
        <FigureFields {...fields} />
        <p class="row">
          <button type="submit" class="button is-primary">
            Estimate
          </button>
          {isMachine(mine) && !isSameMachine(mine, draft) && (
            <button type="button" class="button is-small" onClick={() => ask(onMachine(mine))}>
              <Icon name="machine" /> My machine
            </button>
          )}
          {QUICK.map((gpu) => (
            <button
              key={gpu}
              type="button"
              class="button is-small"
              onClick={() => ask(onMachine({ ...emptyMachine, gpu }))}
            >
              {gpu}
            </button>
          ))}
        </p>
      </form>
      {otherViolations.length > 0 && (
        <ErrorNotice error={{ kind: "fields", message: "", violations: otherViolations }} retry={retry} />
      )}
      {error !== undefined && error.kind !== "fields" && <ErrorNotice error={error} retry={retry} />}
      {isLoading && answer === undefined && <Waiting what="Estimating …" />}
      {call !== undefined && answer !== undefined && error === undefined && <EstimateView estimate={answer} />}
      {call !== undefined &&
        answer !== undefined &&
        error === undefined &&
        !isLoading &&
        !isSameMachine(mine, asked) && (
          <p class="row">
            <button
              type="button"
              class="button is-small"
              onClick={() => {
                myMachine.value = machineOf(asked);
                announce("Saved as your machine.");
              }}
            >
              <Icon name="machine" /> Save as my machine
            </button>
          </p>
        )}
    </section>
  );
}
