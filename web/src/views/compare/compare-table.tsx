import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ComparedBoard, ComparedFigure, Evaluation, ModelEntry } from "../../../../packages/client/src/index.ts";
import { Bar } from "../../charts/gauges.tsx";
import { FitBadge } from "../../parts/fit-badge.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ModelName } from "../../parts/model-name.tsx";
import { ScrollBox } from "../../parts/view-frame.tsx";
import { count, countOf, date, gigabytes, month, shortCount, speed } from "../../words/formats.ts";
import { hardwareClasses } from "../../words/hardware.ts";
import { taskLabel } from "../../words/names.ts";
import { capabilityLabel } from "../../words/need.ts";

/** A fact: its content, and the value of its bar, if it has one. */
interface Fact {
  readonly label: string;
  readonly sub?: string;
  /** Its name in the contract's ModelEntry; without one it is always shown. */
  readonly field?: string;
  readonly content: (entry: ModelEntry) => ComponentChildren;
  readonly value?: (entry: ModelEntry) => number | undefined;
}

const facts: readonly Fact[] = [
  { label: "Purpose", content: (e) => e.description },
  { label: "Tasks", field: "task_types", content: (e) => e.taskTypes.map(taskLabel).join(", ") },
  { label: "Licence", field: "license", content: licenseText },
  {
    label: "Parameters",
    field: "parameters",
    content: (e) => e.parameters !== undefined && shortCount(e.parameters),
    value: (e) => e.parameters,
  },
  {
    label: "Abilities",
    field: "capabilities",
    content: (e) => e.capabilities.map(capabilityLabel).join(", "),
  },
  {
    label: "Context",
    field: "context_length",
    content: (e) => e.contextLength !== undefined && `${count(e.contextLength)} tokens`,
    value: (e) => e.contextLength,
  },
  {
    label: "Full quality",
    field: "size_gb",
    content: (e) => e.sizeGb !== undefined && gigabytes(e.sizeGb),
    value: (e) => e.sizeGb,
  },
  {
    label: "Smallest variant",
    field: "variants",
    content: (e) => {
      const smallest = smallestVariant(e);
      return smallest && `${gigabytes(smallest.sizeGb ?? 0)} ${smallest.quantization}`;
    },
    value: (e) => smallestVariant(e)?.sizeGb,
  },
  ...hardwareClasses.map(
    ({ id, label, device }): Fact => ({
      label,
      sub: device,
      content: (e) => <ClassFigures entry={e} hardware={id} />,
      value: (e) => e.hardware.find(({ hardware }) => hardware === id)?.tokensPerSecond?.likely,
    }),
  ),
  {
    label: "Languages",
    field: "languages",
    content: (e) => e.languages.length > 0 && count(e.languages.length),
    value: (e) => e.languages.length || undefined,
  },
  {
    label: "Consent",
    field: "gated",
    content: (e) => e.gated !== undefined && (e.gated ? "asked for before the download" : "none needed"),
  },
  {
    label: "Downloads",
    field: "downloads",
    content: (e) => e.downloads !== undefined && shortCount(e.downloads),
    value: (e) => e.downloads,
  },
  {
    label: "Likes",
    field: "likes",
    content: (e) => e.likes !== undefined && shortCount(e.likes),
    value: (e) => e.likes,
  },
  { label: "Series released", field: "released_at", content: (e) => e.releasedAt && month(e.releasedAt) },
  { label: "Updated", field: "updated_at", content: (e) => e.updatedAt && date(e.updatedAt) },
];

interface FactTableProps {
  readonly models: readonly ModelEntry[];
  /** The fields in which they differ. */
  readonly differing: ReadonlySet<string>;
  readonly onRemove: (name: string) => void;
}

/** Facts by rows, models by columns. Facts that are the same for all are left out until they are asked for. */
export function FactTable({ models, differing, onRemove }: FactTableProps) {
  const [isWhole, setIsWhole] = useState(false);
  const isSame = ({ field }: Fact) => field !== undefined && !differing.has(field);
  const same = facts.filter(isSame).length;
  const shown = isWhole ? facts : facts.filter((fact) => !isSame(fact));
  return (
    <>
      <SideBySide
        label="Models side by side"
        models={models}
        onRemove={onRemove}
        rows={shown.map(({ label, sub, content, value }) => {
          const most = Math.max(0, ...models.map((entry) => value?.(entry) ?? 0));
          return {
            label,
            sub,
            cells: models.map((entry) => {
              const figure = value?.(entry);
              return (
                <>
                  {content(entry) || <span class="sub">unknown</span>}
                  {figure !== undefined && <Bar value={figure} most={most} tone="depth-3" />}
                </>
              );
            }),
          };
        })}
      />
      {same > 0 && (
        <p class="more-pages">
          <button type="button" class="button is-small" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? "Show only what differs" : `Show ${countOf(same, "fact that is", "facts that are")} the same`}
          </button>
        </p>
      )}
    </>
  );
}

/** Boards that are shown at first. */
const BOARDS = 12;

interface BoardTableProps {
  readonly models: readonly ModelEntry[];
  readonly boards: readonly ComparedBoard[];
}

/** The boards that have figures about at least two of the models. Figures of one board can be compared. */
export function BoardTable({ models, boards }: BoardTableProps) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? boards : boards.slice(0, BOARDS);
  return (
    <section class="panel" aria-labelledby="boards-title">
      <h2 id="boards-title">Measured by others</h2>
      {boards.length === 0 ? (
        <p>No leaderboard lists more than one of these models.</p>
      ) : (
        <SideBySide
          label="Figures of leaderboards side by side"
          models={models}
          rows={shown.map(({ id, name, metric, figures }) => ({
            label: name,
            sub: metric,
            cells: models.map((entry, i) => (
              <BoardFigure
                key={entry.name}
                figure={figures[i]}
                evaluation={entry.evaluations.find(({ board }) => board === id)}
              />
            )),
          }))}
        />
      )}
      {shown.length < boards.length && (
        <p class="more-pages">
          <button type="button" class="button is-small" onClick={() => setIsWhole(true)}>
            Show all {boards.length} boards
          </button>
        </p>
      )}
    </section>
  );
}

interface BoardFigureProps {
  readonly figure: ComparedFigure | undefined;
  /** The same figure among the model's own. */
  readonly evaluation: Evaluation | undefined;
}

/** A model's figure on a board, its place in the field, and whether it is the best of those compared. */
function BoardFigure({ figure, evaluation }: BoardFigureProps) {
  if (figure?.value === undefined) {
    return <span class="sub">not measured</span>;
  }
  const of = figure.place !== undefined && evaluation?.of !== undefined ? ` (${figure.place} of ${evaluation.of})` : "";
  return (
    <>
      {`${figure.value}${of}${figure.evidence === "claimed" ? ", claimed" : ""}`}
      {figure.best && <span class="best">best here</span>}
      {evaluation?.percentile !== undefined && <Bar value={evaluation.percentile} most={1} tone="depth-3" />}
    </>
  );
}

interface SideBySideProps {
  /** Name of the table, for screen readers. */
  readonly label: string;
  readonly models: readonly ModelEntry[];
  /** Each has a cell for each model. */
  readonly rows: readonly {
    readonly label: string;
    readonly sub: string | undefined;
    readonly cells: readonly ComponentChildren[];
  }[];
  /** Default: models cannot be removed here. */
  readonly onRemove?: (name: string) => void;
}

function SideBySide({ label: title, models, rows, onRemove }: SideBySideProps) {
  return (
    <ScrollBox label={title}>
      <table class={`table compare-table has-${models.length}`}>
        <thead>
          <tr>
            <td />
            {models.map(({ name }) => (
              <th key={name} scope="col">
                <div>
                  <ModelName name={name} />
                  {onRemove !== undefined && (
                    <button
                      type="button"
                      class="button is-quiet is-icon"
                      aria-label={`Remove ${name}`}
                      onClick={() => onRemove(name)}
                    >
                      <Icon name="close" />
                    </button>
                  )}
                </div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, sub, cells }) => (
            <tr key={label}>
              <th scope="row">
                {label}
                {sub !== undefined && <span class="sub">{sub}</span>}
              </th>
              {cells.map((cell, i) => (
                <td key={models[i]?.name}>{cell}</td>
              ))}
            </tr>
          ))}
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
  const { fit, quantization, memoryGb, tokensPerSecond, throughput } = estimate;
  return (
    <span class="class-figures">
      <FitBadge fit={fit} />
      <span class="mono">{quantization}</span>
      <span>{gigabytes(memoryGb)}</span>
      {throughput && <span>{throughput.summary}</span>}
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
