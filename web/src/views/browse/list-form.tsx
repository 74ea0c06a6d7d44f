import { useEffect, useState } from "preact/hooks";
import { LicenseField } from "../../need/license-field.tsx";
import { Field } from "../../parts/field.tsx";
import { navigate } from "../../state/navigation.ts";
import { emptyList, type ListDraft, type ListRoute } from "../../state/route.ts";
import { hardwareClasses } from "../../words/hardware.ts";
import { licenseChoices } from "../../words/need.ts";

/** The orders of a list, as the contract writes them; the empty one is the service's own. */
const orders = [
  ["", "Most downloaded"],
  ["released_at desc", "Newest line"],
  ["updated_at desc", "Last changed"],
  ["size_gb", "Smallest"],
  ["size_gb desc", "Largest"],
  ["parameters", "Fewest parameters"],
  ["parameters desc", "Most parameters"],
  ["name", "Name"],
] as const;

/** An order in words. */
export function orderLabel(order = ""): string {
  return orders.find(([value]) => value === order)?.[1] ?? order;
}

/** The search by name, the order and the limits of a list. They are in the page's address. */
export function ListForm({ route }: { readonly route: ListRoute }) {
  const asked: ListDraft = { ...emptyList, ...route.list };
  const [draft, setDraft] = useState(asked);
  const askedText = JSON.stringify(asked);
  useEffect(() => setDraft(asked), [askedText]);
  const ask = (list: ListDraft) => {
    setDraft(list);
    if (sizeProblem(list) === undefined) {
      navigate({ ...route, list }, { replace: true });
    }
  };
  const problem = sizeProblem(draft);
  return (
    <form
      class="list-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        ask(draft);
      }}
    >
      <Field id="list-name" label="Name contains">
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
          {orders.map(([value, label]) => (
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
      <Field id="list-hardware" label="Runs well on">
        <select
          id="list-hardware"
          value={draft.hardware}
          onInput={(event) => ask({ ...draft, hardware: event.currentTarget.value })}
        >
          <option value="">Any hardware</option>
          {hardwareClasses.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      <Field id="list-size" label="Largest download, GB" problem={problem}>
        <input
          id="list-size"
          inputmode="decimal"
          value={draft.max_size_gb}
          placeholder="any"
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={problem === undefined ? undefined : "list-size-problem"}
          onInput={(event) => setDraft({ ...draft, max_size_gb: event.currentTarget.value })}
          onChange={() => ask(draft)}
        />
      </Field>
    </form>
  );
}

function sizeProblem({ max_size_gb }: ListDraft): string | undefined {
  const isRight = max_size_gb.trim() === "" || (Number(max_size_gb) > 0 && Number.isFinite(Number(max_size_gb)));
  return isRight ? undefined : "must be a number greater than 0";
}
