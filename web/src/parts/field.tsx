import type { ComponentChildren } from "preact";

interface FieldProps {
  /** The id of the control. */
  readonly id: string;
  readonly label: string;
  /** Shown under the control unless there is a problem. */
  readonly hint?: string;
  /** The problem with the value. */
  readonly problem?: string | undefined;
  readonly children: ComponentChildren;
}

/** A labelled control. Spread {@link describedBy} on the control, so that screen readers read its problem with it. */
export function Field({ id, label, hint, problem, children }: FieldProps) {
  return (
    <div class={problem === undefined ? "field" : "field has-problem"}>
      <label for={id}>{label}</label>
      {children}
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {problem === undefined && hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** The attributes that connect a control with the texts of its {@link Field}. */
export function describedBy({ id, hint, problem }: Pick<FieldProps, "id" | "hint" | "problem">) {
  if (problem !== undefined) {
    return { id, "aria-invalid": true as const, "aria-describedby": `${id}-problem` };
  }
  return hint === undefined ? { id } : { id, "aria-describedby": `${id}-hint` };
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}

/** A choice beside a chart. */
export function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label class="inline-choice">
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
