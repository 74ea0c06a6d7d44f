import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { Violation } from "../api/call-error.ts";
import { calls } from "../api/calls.ts";
import { useCall } from "../api/use-call.ts";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Icon } from "../parts/icon.tsx";
import { announce } from "../parts/view-frame.tsx";
import {
  emptyMachine,
  isMachine,
  isSameMachine,
  type MachineDraft,
  machineField,
  machineLabel,
  machineOf,
  readMachine,
} from "./machine.ts";
import { CardFields, FigureFields } from "./machine-fields.tsx";
import { myMachine } from "./my-machine.ts";

const isOpen = signal(false);

/** Opens the dialog for the visitor's own machine. */
export function openMachineDialog(): void {
  isOpen.value = true;
}

/** A button beside results that opens the dialog. */
export function MachineLink() {
  return (
    <button type="button" class="button is-quiet is-small" onClick={openMachineDialog}>
      <Icon name="machine" />
      {isMachine(myMachine.value) ? "Change my machine" : "Set my machine"}
    </button>
  );
}

/** The dialog for the visitor's own machine. */
export function MachineDialog() {
  return (
    <Dialog title="My machine" isOpen={isOpen}>
      <MachineForm />
    </Dialog>
  );
}

/** A model to try a machine with: only the machine's own figures are shown. */
const ANY_PARAMETERS = 1e9;

function MachineForm() {
  const [draft, setDraft] = useState(myMachine.value);
  const [asked, setAsked] = useState(emptyMachine);
  const misread: Violation[] = [];
  const hardware = readMachine(asked, misread);
  const isAsked = hardware !== undefined && misread.length === 0;
  const { answer, error, isLoading, retry } = useCall(
    isAsked ? calls.estimate({ parameters: ANY_PARAMETERS, hardware }) : undefined,
  );
  const violations = misread.length > 0 ? misread : error?.kind === "fields" ? error.violations : [];
  const isKnown = isAsked && answer !== undefined && error === undefined && !isLoading;
  useEffect(() => {
    if (isKnown) {
      myMachine.value = machineOf(asked);
      announce(`Saved. Memory and speed are now shown for ${machineLabel(asked)}.`);
    }
  }, [isKnown, answer]);
  useEffect(() => {
    if (violations.length > 0) {
      document.querySelector<HTMLElement>(".machine-form [aria-invalid]")?.focus();
    }
  }, [JSON.stringify(violations)]);
  const change = (part: Partial<MachineDraft>) => setDraft({ ...draft, ...part });
  const problemOf = (name: keyof MachineDraft) =>
    violations.find(({ field }) => machineField(field) === name)?.description;
  const fields = { id: "machine", draft, problemOf, onChange: change };
  const others = violations.filter(({ field }) => machineField(field) === undefined);
  return (
    <form
      class="machine-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(machineOf(draft));
      }}
    >
      <p class="hint">
        These values are kept in this browser, and are sent with the calls that estimate memory and speed.
      </p>
      <div class="limit-grid">
        <CardFields {...fields} />
      </div>
      <FigureFields {...fields} />
      {others.length > 0 && <ErrorNotice error={{ kind: "fields", message: "", violations: others }} retry={retry} />}
      {error !== undefined && error.kind !== "fields" && <ErrorNotice error={error} retry={retry} />}
      <p class="row">
        <button type="submit" class="button is-primary" aria-disabled={isLoading || !isMachine(draft)}>
          Save
        </button>
        <button
          type="button"
          class="button"
          disabled={!isMachine(myMachine.value)}
          onClick={() => {
            myMachine.value = emptyMachine;
            setDraft(emptyMachine);
            setAsked(emptyMachine);
            announce("Your machine is removed.");
          }}
        >
          Remove
        </button>
      </p>
      {isKnown && isSameMachine(asked, myMachine.value) && (
        <div class="machine-known">
          <p>
            <Icon name="check" /> Saved.
          </p>
          <ul class="basis">
            {answer.basis
              .filter((sentence, i) => i === 0 || sentence.startsWith("Assumed"))
              .map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
          </ul>
        </div>
      )}
    </form>
  );
}
