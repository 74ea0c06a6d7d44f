import { useState } from "preact/hooks";
import { describedBy, Field } from "../parts/field.tsx";
import { gpuSuggestions, hardwareClasses } from "../words/hardware.ts";
import { emptyMachine, type MachineDraft } from "./machine.ts";

interface MachineFieldsProps {
  /** Begins the ids of the controls. */
  readonly id: string;
  readonly draft: MachineDraft;
  readonly problemOf: (field: keyof MachineDraft) => string | undefined;
  readonly onChange: (change: Partial<MachineDraft>) => void;
}

/** The usual fields of a machine: one of the classes, or a card or chip by its name, and how many. */
export function CardFields(props: MachineFieldsProps) {
  const { id, draft, problemOf, onChange } = props;
  const problem = problemOf("class");
  return (
    <>
      <Field id={`${id}-class`} label="Kind of machine" problem={problem}>
        <select
          {...describedBy({ id: `${id}-class`, problem })}
          value={draft.class}
          // A class has no other fields.
          onInput={(event) => onChange({ ...emptyMachine, class: event.currentTarget.value })}
        >
          <option value="">Enter a name or figures</option>
          {hardwareClasses.map((known) => (
            <option key={known.id} value={known.id}>
              {known.label} ({known.device})
            </option>
          ))}
        </select>
      </Field>
      {draft.class === "" && (
        <>
          <MachineField {...props} name="gpu" label="Graphics card or chip" placeholder="RTX 4070" />
          <datalist id={`${id}-gpu-names`}>
            {gpuSuggestions.map((gpu) => (
              <option key={gpu} value={gpu} />
            ))}
          </datalist>
          <MachineField {...props} name="gpus" label="Number of cards" placeholder="1" />
        </>
      )}
    </>
  );
}

/** The other fields, closed until they are needed. */
export function FigureFields(props: MachineFieldsProps) {
  const { class: id, memory, bandwidth, cpu, system_memory } = props.draft;
  const [isOpen] = useState([memory, bandwidth, cpu, system_memory].some((text) => text !== ""));
  if (id !== "") {
    return null;
  }
  return (
    <details class="limits" open={isOpen || undefined}>
      <summary>
        Enter figures yourself <span class="hint">for an unknown card, or one with different memory</span>
      </summary>
      <div class="limit-grid">
        <MachineField {...props} name="memory" label="Memory of one card, GB" placeholder="16" />
        <MachineField {...props} name="bandwidth" label="Bandwidth of one card, GB/s" placeholder="448" />
        <MachineField {...props} name="cpu" label="Processor" placeholder="Ryzen 7 7700" />
        <MachineField {...props} name="system_memory" label="System memory, GB" placeholder="32" />
      </div>
    </details>
  );
}

interface MachineFieldProps extends MachineFieldsProps {
  readonly name: keyof MachineDraft;
  readonly label: string;
  readonly placeholder: string;
}

function MachineField({ id: form, draft, problemOf, onChange, name, label, placeholder }: MachineFieldProps) {
  const problem = problemOf(name);
  const id = `${form}-${name}`;
  return (
    <Field id={id} label={label} problem={problem}>
      <input
        {...describedBy({ id, problem })}
        value={draft[name]}
        placeholder={placeholder}
        list={name === "gpu" ? `${form}-gpu-names` : undefined}
        inputmode={name === "gpu" || name === "cpu" ? "text" : "decimal"}
        autocomplete="off"
        onInput={(event) => onChange({ [name]: event.currentTarget.value })}
      />
    </Field>
  );
}
