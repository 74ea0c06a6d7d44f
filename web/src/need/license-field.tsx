import { useState } from "preact/hooks";
import { describedBy, Field } from "../parts/field.tsx";

interface LicenseFieldProps {
  readonly choices: readonly (readonly [value: string, label: string])[];
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

const OTHER = "other id";

/** A licence: a choice from a list, or any id in a text field. */
export function LicenseField({ choices, value, problem, onChange }: LicenseFieldProps) {
  const [isOther, setIsOther] = useState(false);
  const isTyped = isOther || !choices.some(([choice]) => choice === value);
  const hint = "an id such as llama3.1 or cc-by-4.0";
  return (
    <Field id={isTyped ? "license-id" : "license"} label="Licence" hint={isTyped ? hint : undefined} problem={problem}>
      {isTyped ? (
        <div class="with-reset">
          <input
            {...describedBy({ id: "license-id", hint, problem })}
            value={value}
            autocapitalize="none"
            spellcheck={false}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
          <button
            type="button"
            class="button is-small"
            onClick={() => {
              setIsOther(false);
              onChange("");
            }}
          >
            Any
          </button>
        </div>
      ) : (
        <select
          {...describedBy({ id: "license", problem })}
          value={value}
          onInput={(event) => {
            const choice = event.currentTarget.value;
            setIsOther(choice === OTHER);
            onChange(choice === OTHER ? "" : choice);
          }}
        >
          {choices.map(([choice, label]) => (
            <option key={choice} value={choice}>
              {label}
            </option>
          ))}
          <option value={OTHER}>Another licence id …</option>
        </select>
      )}
    </Field>
  );
}
