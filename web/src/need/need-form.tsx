import { useEffect, useState } from "preact/hooks";
import type { Violation } from "../api/call-error.ts";
import { emptyMachine, isSameMachine, machineLabel } from "../machine/machine.ts";
import { myMachine } from "../machine/my-machine.ts";
import { describedBy, Field } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { countOf } from "../words/formats.ts";
import { licenseChoices, priorityChoices, taskTypes } from "../words/need.ts";
import { LicenseField } from "./license-field.tsx";
import {
  CapabilitiesField,
  GatedField,
  HardwareField,
  machineChoices,
  ParametersField,
  SizeField,
  TextField,
} from "./limit-fields.tsx";
import { limitFields, limitsOf, type NeedDraft } from "./need-draft.ts";

/** Most characters of a description that the service accepts. */
const MAX_DESCRIPTION = 2_000;
/** From this length on, the form shows how many characters are left. */
const COUNT_FROM = 1_800;

/** The texts of the form for each purpose. */
const purposes = {
  recommend: {
    label: "What do you need a model for?",
    action: "Recommend",
    busy: "Asking …",
    refused: "this used none of your recommendations",
  },
  wait: {
    label: "What should a new model do for you?",
    action: "Save",
    busy: "Saving …",
    refused: "nothing was saved",
  },
} as const;

interface NeedFormProps {
  readonly purpose: keyof typeof purposes;
  /** The need of the last request, or of the address. */
  readonly need: NeedDraft;
  readonly violations: readonly Violation[];
  readonly isLoading: boolean;
  readonly onAsk: (need: NeedDraft) => void;
}

/** The form of a need: its description and its limits. */
export function NeedForm({ purpose, need, violations, isLoading, onAsk }: NeedFormProps) {
  const { label, action, busy, refused } = purposes[purpose];
  const [draft, setDraft] = useState(need);
  const asked = JSON.stringify(need);
  useEffect(() => setDraft(need), [asked]);

  const problemOf = (field: string) => {
    const found = violations.filter((violation) => snakeCase(violation.field).startsWith(field));
    return found.length === 0 ? undefined : found.map(({ description }) => description).join("; ");
  };
  const bind = (field: Exclude<keyof NeedDraft, "ignore" | "device">, hint?: string) => ({
    ...describedBy({ id: field, hint, problem: problemOf(field) }),
    value: draft[field],
    onInput: (event: { currentTarget: { value: string } }) =>
      setDraft({ ...draft, [field]: event.currentTarget.value }),
  });
  const limit = (field: Exclude<keyof NeedDraft, "ignore" | "device">) => ({
    id: field,
    value: draft[field],
    problem: problemOf(field),
    onChange: (value: string) => setDraft({ ...draft, [field]: value }),
  });
  const limits = limitsOf(draft);
  // The visitor's own machine is chosen from the start, which is no reason to open the limits.
  const hasOwnLimits = limits.some(({ field }) => field !== "device" || !isSameMachine(draft.device, myMachine.value));
  const hasLimitProblem = [...limitFields, "priority", "top_k"].some((field) => problemOf(field) !== undefined);
  const left = MAX_DESCRIPTION - [...draft.description.trim()].length;
  // A new description has other wishes, so the list of ignored ones is cleared.
  const ask = () => onAsk(draft.description === need.description ? draft : { ...draft, ignore: [] });

  return (
    <form
      class="need-form"
      role={purpose === "recommend" ? "search" : undefined}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <Field id="description" label={label} problem={problemOf("description")}>
        <div class="need-box">
          <textarea
            {...bind("description")}
            rows={2}
            enterkeyhint="search"
            placeholder="for example: transcribe long meetings on a laptop without a GPU"
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey || event.isComposing) {
                return;
              }
              event.preventDefault();
              ask();
            }}
          />
          <button type="submit" class="button is-primary is-large" aria-disabled={isLoading}>
            {isLoading ? busy : action}
            <Icon name="arrow" />
          </button>
        </div>
        {left < MAX_DESCRIPTION - COUNT_FROM && <p class="hint">{left} characters left</p>}
      </Field>
      {violations.length > 0 && (
        <p class="problem" role="alert">
          {countOf(violations.length, "value is", "values are")} not valid; {refused}.
        </p>
      )}
      <details class="limits" open={hasOwnLimits || draft.priority !== "" || hasLimitProblem || undefined}>
        <summary>
          Limits
          <span class="hint">
            {limits.length === 0
              ? "task, hardware, licence, size, abilities and more"
              : hasOwnLimits
                ? `${limits.length} set`
                : `runs well on ${machineLabel(draft.device)}`}
          </span>
        </summary>
        <div class="limit-grid">
          <Field id="task_type" label="Task type" problem={problemOf("task_type")}>
            <select {...bind("task_type")}>
              <option value="">Any</option>
              {Object.entries(taskTypes).map(([type, label]) => (
                <option key={type} value={type}>
                  {label}
                </option>
              ))}
            </select>
          </Field>
          <HardwareField
            {...limit("hardware")}
            problem={problemOf("hardware") ?? problemOf("device")}
            machines={machineChoices(myMachine.value, draft.device)}
            chosen={draft.device}
            onChange={(hardware) => setDraft({ ...draft, hardware, device: emptyMachine })}
            onMachine={(device) => setDraft({ ...draft, hardware: "", device })}
          />
          <LicenseField
            choices={licenseChoices}
            problem={problemOf("license")}
            value={draft.license}
            onChange={(license) => setDraft({ ...draft, license })}
          />
          <SizeField {...limit("max_size_gb")} />
          <Field id="languages" label="Languages" hint="codes such as de, fr" problem={problemOf("languages")}>
            <input {...bind("languages", "codes")} placeholder="any" autocapitalize="none" spellcheck={false} />
          </Field>
          <TextField {...limit("min_context_length")} label="Minimum context, tokens" inputmode="numeric" />
          <ParametersField {...limit("min_parameters")} bound="Minimum" />
          <ParametersField {...limit("max_parameters")} bound="Maximum" />
          <TextField
            {...limit("min_tokens_per_second")}
            label="Minimum speed, tokens/s"
            hint="on the hardware chosen under “Runs well on”"
          />
          <Field id="priority" label="What matters most" problem={problemOf("priority")}>
            <select {...bind("priority")}>
              {priorityChoices.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </Field>
          {purpose === "recommend" && (
            <Field id="top_k" label="How many models" problem={problemOf("top_k")}>
              <input {...bind("top_k")} inputmode="numeric" placeholder="5" />
            </Field>
          )}
        </div>
        <CapabilitiesField {...limit("capabilities")} />
        <GatedField {...limit("exclude_gated")} />
      </details>
    </form>
  );
}

/** Violations name fields in lowerCamelCase or as the contract spells them. */
function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
