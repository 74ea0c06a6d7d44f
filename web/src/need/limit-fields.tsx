import { isMachine, isSameMachine, type MachineDraft, machineLabel } from "../machine/machine.ts";
import { describedBy, Field } from "../parts/field.tsx";
import { hardwareClasses } from "../words/hardware.ts";
import { capabilityChoices } from "../words/need.ts";
import { listOf } from "./need-draft.ts";

// The limits that a need and a list of models have in common.

/** A control of one limit. */
interface LimitProps {
  readonly id: string;
  /** What is chosen or typed; empty for no limit. */
  readonly value: string;
  readonly problem?: string | undefined;
  /** Called for each change. */
  readonly onChange: (value: string) => void;
}

interface HardwareFieldProps extends LimitProps {
  /** Machines to choose beside the classes, with their labels. */
  readonly machines?: readonly { readonly machine: MachineDraft; readonly label: string }[];
  /** The machine that is chosen, if it is one of them. */
  readonly chosen?: MachineDraft | undefined;
  readonly onMachine?: (machine: MachineDraft) => void;
}

/** What a model must run well on: a class of hardware, or a machine. */
export function HardwareField({ id, value, problem, onChange, machines = [], chosen, onMachine }: HardwareFieldProps) {
  const index = machines.findIndex(({ machine }) => chosen !== undefined && isSameMachine(machine, chosen));
  return (
    <Field id={id} label="Runs well on" problem={problem}>
      <select
        {...describedBy({ id, problem })}
        value={index === -1 ? value : `machine ${index}`}
        onInput={(event) => {
          const text = event.currentTarget.value;
          const machine = machines.find((_, i) => text === `machine ${i}`)?.machine;
          if (machine === undefined) {
            onChange(text);
          } else {
            onMachine?.(machine);
          }
        }}
      >
        <option value="">Any hardware</option>
        {machines.map(({ label }, i) => (
          <option key={label} value={`machine ${i}`}>
            {label}
          </option>
        ))}
        {hardwareClasses.map(({ id: known, label }) => (
          <option key={known} value={known}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface TextFieldProps extends LimitProps {
  readonly label: string;
  readonly hint?: string;
  readonly inputmode?: "decimal" | "numeric" | "text";
  /** Called when the visitor leaves the field or presses Enter. */
  readonly onDone?: () => void;
}

/** A limit that is typed. */
export function TextField({
  id,
  label,
  hint,
  value,
  problem,
  inputmode = "decimal",
  onChange,
  onDone,
}: TextFieldProps) {
  return (
    <Field id={id} label={label} hint={hint} problem={problem}>
      <input
        {...describedBy({ id, hint, problem })}
        value={value}
        inputmode={inputmode}
        placeholder="any"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        onInput={(event) => onChange(event.currentTarget.value)}
        onChange={onDone}
      />
    </Field>
  );
}

/** The largest download. */
export function SizeField(props: LimitProps & { readonly onDone?: () => void }) {
  return <TextField {...props} label="Largest download, GB" />;
}

/** A bound of the number of parameters. */
export function ParametersField({ bound, ...props }: Omit<TextFieldProps, "label"> & { readonly bound: string }) {
  return <TextField {...props} label={`${bound} parameters`} hint="such as 500M or 7B" inputmode="text" />;
}

/** What a model must be able to do beside its task; the value has the contract's words, separated by commas. */
export function CapabilitiesField({ id, value, problem, onChange }: LimitProps) {
  const chosen = listOf(value);
  // Words that the page does not know stay, so that the service can say what is wrong with them.
  const unknown = chosen.filter((word) => !capabilityChoices.some(([known]) => known === word));
  return (
    <fieldset
      class={problem === undefined ? "choices" : "choices has-problem"}
      aria-describedby={problem === undefined ? undefined : `${id}-problem`}
    >
      <legend>Must be able to</legend>
      {[...capabilityChoices, ...unknown.map((word) => [word, word] as const)].map(([word, label]) => (
        <label key={word}>
          <input
            type="checkbox"
            checked={chosen.includes(word)}
            aria-invalid={problem !== undefined && unknown.includes(word) ? true : undefined}
            onChange={(event) =>
              onChange((event.currentTarget.checked ? [...chosen, word] : chosen.filter((w) => w !== word)).join(", "))
            }
          />
          {label}
        </label>
      ))}
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </fieldset>
  );
}

/** Whether to leave out models behind a consent form; the value is "true" or empty. */
export function GatedField({ id, value, onChange }: LimitProps) {
  return (
    <label class="inline-check" for={id}>
      <input
        id={id}
        type="checkbox"
        checked={value === "true"}
        onChange={(event) => onChange(event.currentTarget.checked ? "true" : "")}
      />
      Only models without terms to accept before the download
    </label>
  );
}

/** Machines to choose from in a {@link HardwareField}: the visitor's own, and that of the need if it is another. */
export function machineChoices(mine: MachineDraft, asked: MachineDraft): NonNullable<HardwareFieldProps["machines"]> {
  const own = isMachine(mine) ? [{ machine: mine, label: `Mine: ${machineLabel(mine)}` }] : [];
  const isOther = isMachine(asked) && !isSameMachine(asked, mine);
  return isOther ? [...own, { machine: asked, label: machineLabel(asked) }] : own;
}
