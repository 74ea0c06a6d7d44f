import { useState } from "preact/hooks";
import type { Interest } from "../../../../packages/client/src/index.ts";
import { calls } from "../../api/calls.ts";
import { useCall } from "../../api/use-call.ts";
import { machineLabel, shownMachine } from "../../machine/machine.ts";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ModelName } from "../../parts/model-name.tsx";
import { Waiting } from "../../parts/view-frame.tsx";
import { gigabytes, scoreText, shortCount, speed } from "../../words/formats.ts";

interface InterestCardProps {
  readonly interest: Interest;
  readonly onRemove: () => void;
}

/** A saved interest, with the models that match it now. */
export function InterestCard({ interest, onRemove }: InterestCardProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { name, minScore = 0.5 } = interest;
  return (
    <article class="interest" aria-label={name}>
      <header>
        <h3>{name}</h3>
        <button
          type="button"
          class="button is-quiet is-icon"
          aria-label={`Delete interest: ${name}`}
          onClick={onRemove}
        >
          <Icon name="close" />
        </button>
      </header>
      {interest.description !== name && <p>{interest.description}</p>}
      <p class="hint">{[...limitsOf(interest), `score ${minScore.toFixed(2)} or more`].join(" · ")}</p>
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>What matches now</summary>
        {isOpen && <Preview id={interest.id} />}
      </details>
    </article>
  );
}

function limitsOf(interest: Interest): string[] {
  const { taskType, hardware, license, maxSizeGb, languages, minContextLength, priority } = interest;
  const { capabilities, minParameters, maxParameters, device, minTokensPerSecond, excludeGated } = interest;
  return [
    taskType,
    hardware,
    license,
    maxSizeGb === undefined ? undefined : `at most ${gigabytes(maxSizeGb)}`,
    ...languages,
    minContextLength === undefined ? undefined : `${minContextLength} tokens`,
    ...capabilities,
    minParameters === undefined ? undefined : `at least ${shortCount(minParameters)} parameters`,
    maxParameters === undefined ? undefined : `at most ${shortCount(maxParameters)} parameters`,
    device && machineLabel(shownMachine(device)),
    minTokensPerSecond === undefined ? undefined : `at least ${speed(minTokensPerSecond)} tokens/s`,
    excludeGated ? "no consent before the download" : undefined,
    priority === undefined ? undefined : `${priority} matters most`,
  ].filter((limit) => limit !== undefined);
}

function Preview({ id }: { readonly id: string }) {
  const { answer, error, retry } = useCall(calls.previewInterest(id));
  if (error !== undefined) {
    return <ErrorNotice error={error} retry={retry} />;
  }
  if (answer === undefined) {
    return <Waiting what="Loading …" />;
  }
  if (answer.results.length === 0) {
    return <p class="hint">No model matches now.</p>;
  }
  return (
    <ol class="preview">
      {answer.results.map(({ model, score }) => (
        <li key={model?.name}>
          <ModelName name={model?.name ?? ""} />
          <span class="number">{scoreText(score)}</span>
        </li>
      ))}
    </ol>
  );
}
