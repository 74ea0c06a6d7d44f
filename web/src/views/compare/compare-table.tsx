import type { ComponentChildren } from "preact";
import type { ModelEntry } from "../../../../src/client.ts";
import type { NamedModel } from "../../api/use-models.ts";
import { Bar } from "../../charts/gauges.tsx";
import { FitBadge } from "../../parts/fit-badge.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ModelName } from "../../parts/model-name.tsx";
import { ScrollBox } from "../../parts/view-frame.tsx";
import { count, date, gigabytes, month, shortCount, speed } from "../../words/formats.ts";
import { hardwareClasses } from "../../words/hardware.ts";
import { taskLabel } from "../../words/names.ts";

interface CompareTableProps {
  readonly models: readonly NamedModel[];
  readonly onRemove: (name: string) => void;
}

/** A row: its content, and the value of its bar, if it has one. */
interface Row {
  readonly label: string;
  readonly sub?: string;
  readonly content: (entry: ModelEntry) => ComponentChildren;
  readonly value?: (entry: ModelEntry) => number | undefined;
}

const rows: readonly Row[] = [
  { label: "What for", content: (e) => e.description },
  { label: "Tasks", content: (e) => e.taskTypes.map(taskLabel).join(", ") },
  { label: "Licence", content: licenseText },
  {
    label: "Parameters",
    content: (e) => e.parameters !== undefined && shortCount(e.parameters),
    value: (e) => e.parameters,
  },
  {
    label: "Context",
    content: (e) => e.contextLength !== undefined && `${count(e.contextLength)} tokens`,
    value: (e) => e.contextLength,
  },
  { label: "Full quality", content: (e) => e.sizeGb !== undefined && gigabytes(e.sizeGb), value: (e) => e.sizeGb },
  {
    label: "Smallest variant",
    content: (e) => {
      const smallest = smallestVariant(e);
      return smallest && `${gigabytes(smallest.sizeGb ?? 0)} ${smallest.quantization}`;
    },
    value: (e) => smallestVariant(e)?.sizeGb,
  },
  ...hardwareClasses.map(
    ({ id, label, device }): Row => ({
      label,
      sub: device,
      content: (e) => <ClassFigures entry={e} hardware={id} />,
      value: (e) => e.hardware.find(({ hardware }) => hardware === id)?.tokensPerSecond?.likely,
    }),
  ),
  {
    label: "Languages",
    content: (e) => e.languages.length > 0 && count(e.languages.length),
    value: (e) => e.languages.length || undefined,
  },
  {
    label: "Downloads",
    content: (e) => e.downloads !== undefined && shortCount(e.downloads),
    value: (e) => e.downloads,
  },
  { label: "Likes", content: (e) => e.likes !== undefined && shortCount(e.likes), value: (e) => e.likes },
  { label: "Line released", content: (e) => e.releasedAt && month(e.releasedAt) },
  { label: "Updated", content: (e) => e.updatedAt && date(e.updatedAt) },
];

/** The most boards that are compared. */
const MOST_BOARDS = 12;

/** The boards that have at least two of the models: on one board figures can be compared. */
function boardRows(models: readonly NamedModel[]): Row[] {
  const figures = models.flatMap(({ entry }) => entry?.evaluations ?? []);
  const common = [...new Map(figures.map((figure) => [figure.board, figure])).values()].filter(
    ({ board }) => figures.filter((figure) => figure.board === board).length > 1,
  );
  const figureOf = (entry: ModelEntry, board: string) => entry.evaluations.find((figure) => figure.board === board);
  return common.slice(0, MOST_BOARDS).map(
    ({ board, boardName, metric }): Row => ({
      label: boardName,
      sub: metric,
      content: (entry) => {
        const figure = figureOf(entry, board);
        const place = figure?.place === undefined ? "" : ` (${figure.place} of ${figure.of})`;
        const claim = figure?.evidence === "claimed" ? ", claimed" : "";
        return figure && `${figure.value}${place}${claim}`;
      },
      value: (entry) => figureOf(entry, board)?.percentile,
    }),
  );
}

/** Facts by rows, models by columns. */
export function CompareTable({ models, onRemove }: CompareTableProps) {
  const allRows = [...rows, ...boardRows(models)];
  return (
    <ScrollBox label="Models side by side">
      <table class={`table compare-table has-${models.length}`}>
        <thead>
          <tr>
            <td />
            {models.map(({ name, entry }) => (
              <th key={name} scope="col">
                <div>
                  <ModelName name={entry?.name ?? name} />
                  <button
                    type="button"
                    class="button is-quiet is-icon"
                    aria-label={`Remove ${name}`}
                    onClick={() => onRemove(name)}
                  >
                    <Icon name="close" />
                  </button>
                </div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {allRows.map(({ label, sub, content, value }) => {
            const most = Math.max(0, ...models.map(({ entry }) => (entry && value?.(entry)) ?? 0));
            return (
              <tr key={label}>
                <th scope="row">
                  {label}
                  {sub !== undefined && <span class="sub">{sub}</span>}
                </th>
                {models.map(({ name, entry }) => {
                  const figure = entry && value?.(entry);
                  return (
                    <td key={name}>
                      {entry === undefined ? (
                        <span class="pulse" aria-hidden="true" />
                      ) : (
                        content(entry) || <span class="sub">unknown</span>
                      )}
                      {figure !== undefined && models.length > 1 && <Bar value={figure} most={most} tone="depth-3" />}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function ClassFigures({ entry, hardware }: { readonly entry: ModelEntry; readonly hardware: string }) {
  const estimate = entry.hardware.find((one) => one.hardware === hardware);
  if (estimate === undefined) {
    return <span class="sub">unknown</span>;
  }
  const { fit, quantization, memoryGb, tokensPerSecond } = estimate;
  return (
    <span class="class-figures">
      <FitBadge fit={fit} />
      <span class="mono">{quantization}</span>
      <span>{gigabytes(memoryGb)}</span>
      {tokensPerSecond && (
        <span>
          {speed(tokensPerSecond.low)}–{speed(tokensPerSecond.high)} tokens/s
        </span>
      )}
    </span>
  );
}

function smallestVariant({ variants }: ModelEntry) {
  const sized = variants.filter(({ sizeGb }) => sizeGb !== undefined);
  return sized.sort((a, b) => (a.sizeGb ?? 0) - (b.sizeGb ?? 0))[0];
}

function licenseText({ license, licenseTerms: terms }: ModelEntry): ComponentChildren {
  if (license === undefined) {
    return undefined;
  }
  if (terms?.commercialUse === undefined) {
    return license;
  }
  return (
    <>
      {license}
      <span class="sub">{terms.commercialUse ? "commercial use allowed" : "no commercial use"}</span>
    </>
  );
}
