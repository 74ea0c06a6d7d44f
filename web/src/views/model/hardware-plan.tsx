import { useState } from "preact/hooks";
import type {
  DevicePrice,
  HardwareOption,
  ModelEntry,
  PlanHardwareResponse,
} from "../../../../packages/client/src/index.ts";
import type { Violation } from "../../api/call-error.ts";
import { calls } from "../../api/calls.ts";
import { useCall } from "../../api/use-call.ts";
import { machineLabel, readMachine, readNumber } from "../../machine/machine.ts";
import { MachineLink } from "../../machine/machine-dialog.tsx";
import { myMachine } from "../../machine/my-machine.ts";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { describedBy, Field } from "../../parts/field.tsx";
import { FitBadge } from "../../parts/fit-badge.tsx";
import { announce, ScrollBox, Waiting } from "../../parts/view-frame.tsx";
import { countOf, gigabytes, month, speed } from "../../words/formats.ts";
import { hardwareClass } from "../../words/hardware.ts";

/** Devices that are shown at first. */
const SHOWN = 8;

/** The fields of the form, as texts. */
interface PlanDraft {
  readonly context: string;
  readonly speed: string;
}

/** The form's fields by the names of the request's. */
const fields: Readonly<Record<string, keyof PlanDraft>> = {
  context_length: "context",
  contextLength: "context",
  min_tokens_per_second: "speed",
  minTokensPerSecond: "speed",
};

/** The hardware that runs a model, cheapest first, beside the visitor's own machine. */
export function HardwarePlan({ entry }: { readonly entry: ModelEntry }) {
  const [draft, setDraft] = useState<PlanDraft>({ context: "", speed: "" });
  const [asked, setAsked] = useState<PlanDraft>();
  const misread: Violation[] = [];
  const request = asked && {
    modelName: entry.name,
    contextLength: readNumber({ field: "context_length", text: asked.context, isWhole: true }, misread),
    minTokensPerSecond: readNumber({ field: "min_tokens_per_second", text: asked.speed, isWhole: false }, misread),
    device: readMachine(myMachine.value, []),
  };
  const call = request === undefined || misread.length > 0 ? undefined : calls.plan(request);
  const { answer, error, isLoading, retry } = useCall(call);
  const violations = misread.length > 0 ? misread : error?.kind === "fields" ? error.violations : [];
  const others = violations.filter(({ field }) => fields[field] === undefined);
  const field = (name: keyof PlanDraft, label: string, placeholder: string) => {
    const problem = violations.find((violation) => fields[violation.field] === name)?.description;
    const id = `plan-${name}`;
    return (
      <Field id={id} label={label} problem={problem}>
        <input
          {...describedBy({ id, problem })}
          value={draft[name]}
          placeholder={placeholder}
          inputmode="decimal"
          autocomplete="off"
          onInput={(event) => setDraft({ ...draft, [name]: event.currentTarget.value })}
        />
      </Field>
    );
  };
  return (
    <section class="panel" aria-labelledby="plan-title">
      <header class="panel-head">
        <h2 id="plan-title">What do I need to run it?</h2>
        <MachineLink />
      </header>
      <form
        class="plan-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(draft);
          announce("Planning.");
        }}
      >
        {field("context", "Context length, tokens", "8192")}
        {field("speed", "Minimum speed, tokens/s", "any")}
        <button type="submit" class="button is-primary">
          Show hardware
        </button>
      </form>
      {others.length > 0 && <ErrorNotice error={{ kind: "fields", message: "", violations: others }} retry={retry} />}
      {error !== undefined && error.kind !== "fields" && <ErrorNotice error={error} retry={retry} />}
      {isLoading && answer === undefined && <Waiting what="Planning …" />}
      {call !== undefined && answer !== undefined && error === undefined && <Plan plan={answer} />}
    </section>
  );
}

function Plan({ plan: { options, today, classes, basis } }: { readonly plan: PlanHardwareResponse }) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? options : options.slice(0, SHOWN);
  const hasSpeed = [...options, ...classes].some(({ estimate }) => estimate?.tokensPerSecond !== undefined);
  return (
    <div class="plan">
      {options.length === 0 && <p>No known device runs this model with these settings.</p>}
      <ScrollBox label="Hardware that runs the model">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Hardware</th>
              <th scope="col" class="number">
                Price at launch
              </th>
              <th scope="col">Best variant</th>
              <th scope="col" class="number">
                Memory used
              </th>
              {hasSpeed && (
                <th scope="col" class="number">
                  Tokens/s
                </th>
              )}
            </tr>
          </thead>
          {today !== undefined && (
            <PlanRows
              title="Your machine"
              options={[{ ...today, device: machineLabel(myMachine.value) || today.device }]}
              hasSpeed={hasSpeed}
            />
          )}
          <PlanRows title="Hardware that runs it, cheapest first" options={shown} hasSpeed={hasSpeed} />
          {isWhole && <PlanRows title="Classes of hardware" options={classes} hasSpeed={hasSpeed} />}
        </table>
      </ScrollBox>
      <p class="more-pages">
        <button type="button" class="button is-small" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? "Show less" : `Show all ${countOf(options.length, "device")}, and the four classes`}
        </button>
      </p>
      <details>
        <summary>Basis of this list</summary>
        <ul class="basis">
          {basis.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}

interface PlanRowsProps {
  readonly title: string;
  readonly options: readonly HardwareOption[];
  readonly hasSpeed: boolean;
}

function PlanRows({ title, options, hasSpeed }: PlanRowsProps) {
  if (options.length === 0) {
    return null;
  }
  return (
    <tbody>
      <tr class="table-part">
        <th scope="colgroup" colSpan={hasSpeed ? 5 : 4}>
          {title}
        </th>
      </tr>
      {options.map((option) => (
        <OptionRow
          key={`${option.deviceCount} ${option.device} ${option.memoryGb}`}
          option={option}
          hasSpeed={hasSpeed}
        />
      ))}
    </tbody>
  );
}

function OptionRow({ option, hasSpeed }: { readonly option: HardwareOption; readonly hasSpeed: boolean }) {
  const { device, deviceCount, memoryGb, price, priceClass, estimate, meetsSpeed } = option;
  const name = hardwareClass(device)?.label ?? device;
  const tokens = estimate?.tokensPerSecond;
  return (
    <tr>
      <th scope="row">
        {deviceCount > 1 ? `${deviceCount} × ${name}` : name}
        <span class="sub">
          {gigabytes(memoryGb)}
          {deviceCount > 1 && " each"}
        </span>
      </th>
      <td class="number">{price === undefined ? priceClassLabel(priceClass, device) : <Price price={price} />}</td>
      <td>
        {estimate !== undefined && (
          <span class="class-figures">
            <FitBadge fit={estimate.fit} />
            <span class="mono">{estimate.quantization}</span>
          </span>
        )}
      </td>
      <td class="number">{estimate !== undefined && gigabytes(estimate.memoryGb)}</td>
      {hasSpeed && (
        <td class="number">
          {tokens !== undefined && `${speed(tokens.low)}–${speed(tokens.high)}`}
          {meetsSpeed === false && <span class="sub">too slow</span>}
        </td>
      )}
    </tr>
  );
}

function Price({ price: { amount, currency, asOf, source } }: { readonly price: DevicePrice }) {
  const text = new Intl.NumberFormat("en-US", { style: "currency", currency, maximumFractionDigits: 0 }).format(amount);
  return (
    <span title={source}>
      {text}
      <span class="sub">{month(asOf)}</span>
    </span>
  );
}

/** A class of prices in words: "up to $1,000". Empty for a class of hardware, which nobody sells. */
function priceClassLabel(id: string | undefined, device: string): string {
  if (id === undefined && hardwareClass(device) !== undefined) {
    return "";
  }
  const [, relation, amount] = /^(up-to|over)-(\d+)$/.exec(id ?? "") ?? [];
  return relation === undefined
    ? "unknown"
    : `${relation.replace("-", " ")} $${Number(amount).toLocaleString("en-US")}`;
}
