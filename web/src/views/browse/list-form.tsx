import { useEffect, useState } from "preact/hooks";
import { LicenseField } from "../../need/license-field.tsx";
import { CapabilitiesField, GatedField, HardwareField, ParametersField, SizeField } from "../../need/limit-fields.tsx";
import { parameterCount } from "../../need/read-need.ts";
import { Field } from "../../parts/field.tsx";
import { navigate } from "../../state/navigation.ts";
import { emptyList, type ListDraft, type ListRoute } from "../../state/route.ts";
import { licenseChoices } from "../../words/need.ts";

/** The orders of a list, as the contract writes them. */
const orders = [
  ["downloads desc", "Most downloaded"],
  ["released_at desc", "Newest series"],
  ["updated_at desc", "Last changed"],
  ["size_gb", "Smallest"],
  ["size_gb desc", "Largest"],
  ["parameters", "Fewest parameters"],
  ["parameters desc", "Most parameters"],
  ["name", "Name"],
] as const;

/** The orders to choose from. The service's own, which is empty, is the best match of words, or without words by downloads. */
function ordersOf(name: string): readonly (readonly [value: string, label: string])[] {
  return name.trim() === "" ? [["", "Most downloaded"], ...orders.slice(1)] : [["", "Best match"], ...orders];
}

/** The order of a list in words. */
export function orderLabel({ name = "", order_by = "" }: Partial<ListDraft> = {}): string {
  return [...ordersOf(name), ...orders].find(([value]) => value === order_by)?.[1] ?? order_by;
}

/** The search by name, the order and the limits of a list. They are in the page's address. */
export function ListForm({ route }: { readonly route: ListRoute }) {
  const asked: ListDraft = { ...emptyList, ...route.list };
  const [draft, setDraft] = useState(asked);
  const askedText = JSON.stringify(asked);
  useEffect(() => setDraft(asked), [askedText]);
  const ask = (list: ListDraft) => {
    setDraft(list);
    if (Object.keys(checks).every((field) => problemOf(list, field as TypedLimit) === undefined)) {
      navigate({ ...route, list }, { replace: true });
    }
  };
  const typed = (field: TypedLimit) => ({
    id: field === "max_size_gb" ? "list-size" : `list-${field}`,
    value: draft[field],
    problem: problemOf(draft, field),
    onChange: (value: string) => setDraft({ ...draft, [field]: value }),
    onDone: () => ask(draft),
  });
  return (
    <form
      class="list-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        ask(draft);
      }}
    >
      <Field id="list-name" label="Name or words">
        <input
          id="list-name"
          type="search"
          value={draft.name}
          placeholder="qwen coder"
          autocapitalize="none"
          spellcheck={false}
          onInput={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
          onChange={() => ask(draft)}
        />
      </Field>
      <Field id="list-order" label="Order">
        <select
          id="list-order"
          value={draft.order_by}
          onInput={(event) => ask({ ...draft, order_by: event.currentTarget.value })}
        >
          {ordersOf(draft.name).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      <LicenseField
        choices={licenseChoices}
        problem={undefined}
        value={draft.license}
        onChange={(license) => ask({ ...draft, license })}
      />
      <HardwareField id="list-hardware" value={draft.hardware} onChange={(hardware) => ask({ ...draft, hardware })} />
      <SizeField {...typed("max_size_gb")} />
      <ParametersField {...typed("min_parameters")} bound="Minimum" />
      <ParametersField {...typed("max_parameters")} bound="Maximum" />
      <div class="list-checks">
        <CapabilitiesField
          id="list-capabilities"
          value={draft.capabilities}
          onChange={(capabilities) => ask({ ...draft, capabilities })}
        />
        <GatedField
          id="list-gated"
          value={draft.exclude_gated}
          onChange={(exclude_gated) => ask({ ...draft, exclude_gated })}
        />
      </div>
    </form>
  );
}

/** The limits that are typed, and what is wrong with one. */
const checks = {
  max_size_gb: (text: string) => (isAbove0(Number(text)) ? undefined : "must be a number greater than 0"),
  min_parameters: parameterProblem,
  max_parameters: parameterProblem,
} as const;

type TypedLimit = keyof typeof checks;

function problemOf(list: ListDraft, field: TypedLimit): string | undefined {
  return list[field].trim() === "" ? undefined : checks[field](list[field]);
}

function parameterProblem(text: string): string | undefined {
  return isAbove0(parameterCount(text) ?? 0) ? undefined : "must be a number such as 7B or 500M";
}

function isAbove0(value: number): boolean {
  return value > 0 && Number.isFinite(value);
}
