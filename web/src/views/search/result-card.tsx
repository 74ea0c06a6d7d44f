import { useState } from "preact/hooks";
import type { Recommendation } from "../../../../packages/client/src/index.ts";
import { calls } from "../../api/calls.ts";
import { quota } from "../../api/quota.ts";
import { useCall } from "../../api/use-call.ts";
import { Score } from "../../charts/gauges.tsx";
import { MemoryRuler } from "../../charts/memory-ruler.tsx";
import { isMachine, type MachineDraft } from "../../machine/machine.ts";
import { CompareToggle } from "../../parts/compare-controls.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { FitBadge } from "../../parts/fit-badge.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ModelName } from "../../parts/model-name.tsx";
import { Reasons } from "../../parts/reasons.tsx";
import { Waiting } from "../../parts/view-frame.tsx";
import { formatRoute } from "../../state/route.ts";
import { gigabytes, month, shortCount, speed } from "../../words/formats.ts";
import { hardwareClass } from "../../words/hardware.ts";
import { pageAddress, taskLabel } from "../../words/names.ts";
import { RunFigures } from "../model/run-figures.tsx";

/** Reasons, and trade-offs, that are shown at first. */
const SHOWN = 4;

interface ResultCardProps {
  readonly result: Recommendation;
  readonly rank: number;
  /** The hardware class that the need means, so that charts open on it; empty for none. */
  readonly hardware: string;
  /** The machine of the need, or the visitor's own; an empty one for none. */
  readonly machine: MachineDraft;
}

/** A recommended model: reasons, trade-offs, alternatives, and how it would run. */
export function ResultCard({ result, rank, hardware, machine }: ResultCardProps) {
  const { model, score, reasons, tradeoffs, alternatives, sizing } = result;
  if (model === undefined) {
    return null;
  }
  const isFree = quota.value.tier === "free";
  return (
    <article class="card" aria-label={`${rank}: ${model.name}`}>
      <header class="card-head">
        <span class="rank" aria-hidden="true">
          {rank}
        </span>
        <div class="card-title">
          <h3>
            <ModelName name={model.name} />
          </h3>
          <p class="facts">
            <a href={formatRoute({ view: "family", family: model.family })}>{model.family}</a>
            {model.taskTypes.slice(0, 2).map((task) => (
              <a key={task} href={formatRoute({ view: "task", task })}>
                {taskLabel(task)}
              </a>
            ))}
            {model.parameters !== undefined && <span>{shortCount(model.parameters)} parameters</span>}
            <span>{model.license ?? "licence unknown"}</span>
            {model.releasedAt !== undefined && <span>series from {month(model.releasedAt)}</span>}
          </p>
        </div>
        <Score score={score} />
      </header>
      <div class="card-body">
        <div class="card-words">
          <Reasons kind="reasons" title="Why" sentences={reasons} shown={SHOWN} />
          {tradeoffs.length > 0 && <Reasons kind="tradeoffs" title="Trade-offs" sentences={tradeoffs} shown={SHOWN} />}
          {alternatives.length > 0 && (
            <section class="alternatives">
              <h4>Also worth a look</h4>
              <ul class="chips">
                {alternatives.map((name) => (
                  <li key={name}>
                    <ModelName name={name} />
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
        <div class="card-figures">
          <dl>
            {sizing?.sizeGb !== undefined && (
              <div>
                <dt>Download</dt>
                <dd>
                  {gigabytes(sizing.sizeGb)}{" "}
                  {sizing.quantization && <span class="mono sub">{sizing.quantization}</span>}
                </dd>
              </div>
            )}
            {sizing?.memoryGb !== undefined && (
              <div>
                <dt>Memory</dt>
                <dd>
                  {gigabytes(sizing.memoryGb)}
                  {sizing.fit !== undefined && <FitBadge fit={sizing.fit} />}
                </dd>
              </div>
            )}
            {sizing?.hardware !== undefined && (
              <div>
                <dt>Hardware</dt>
                <dd>{hardwareClass(sizing.hardware)?.label ?? sizing.hardware}</dd>
              </div>
            )}
            {sizing?.throughput !== undefined && (
              <div>
                <dt>Speed</dt>
                <dd>{sizing.throughput.summary}</dd>
              </div>
            )}
            {sizing?.tokensPerSecond !== undefined && (
              <div>
                <dt>Speed</dt>
                <dd>
                  {speed(sizing.tokensPerSecond.low)}–{speed(sizing.tokensPerSecond.high)} tokens/s
                  <span class="sub">likely {speed(sizing.tokensPerSecond.likely)}</span>
                </dd>
              </div>
            )}
          </dl>
          {sizing?.memoryGb !== undefined && <MemoryRuler memoryGb={sizing.memoryGb} />}
          {sizing === undefined && <p class="hint">Its size is unknown.</p>}
          {isFree && (
            <p class="hint">A Basic or Pro key adds the recommended variant, its fit and speed, and alternatives.</p>
          )}
        </div>
      </div>
      <LazyRunFigures
        name={model.name}
        hardware={hardware || (isMachine(machine) ? undefined : sizing?.hardware)}
        machine={machine}
        isFirst={rank === 1}
      />
      <footer class="card-foot">
        <CompareToggle name={model.name} />
        {pageAddress(model.sourceUrl) !== undefined && (
          <a class="button is-quiet is-small" href={pageAddress(model.sourceUrl)} target="_blank" rel="noreferrer">
            {model.source} <Icon name="external" />
            <span class="visually-hidden"> page of {model.name}, opens a new tab</span>
          </a>
        )}
      </footer>
    </article>
  );
}

interface LazyRunFiguresProps {
  readonly name: string;
  readonly hardware: string | undefined;
  readonly machine: MachineDraft;
  /** Whether it is open from the start. */
  readonly isFirst: boolean;
}

/** On small screens, charts stay closed until they are opened. */
const hasRoom = matchMedia("(min-width: 860px)");

/** The charts of how a model would run, loaded when they are opened. */
function LazyRunFigures({ name, hardware, machine, isFirst }: LazyRunFiguresProps) {
  const [isOpen, setIsOpen] = useState(isFirst && hasRoom.matches);
  const { answer, error, retry } = useCall(isOpen ? calls.model(name) : undefined);
  return (
    <details class="how-it-runs" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>How it would run</summary>
      {isOpen && error !== undefined && <ErrorNotice error={error} retry={retry} />}
      {isOpen && answer === undefined && error === undefined && <Waiting what="Loading the estimates …" />}
      {isOpen && answer !== undefined && (
        <RunFigures key={hardware} entry={answer} hardware={hardware} machine={machine} />
      )}
    </details>
  );
}
