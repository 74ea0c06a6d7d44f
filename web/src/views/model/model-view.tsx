import type { ModelEntry } from "../../../../packages/client/src/index.ts";
import { calls } from "../../api/calls.ts";
import { useCall } from "../../api/use-call.ts";
import { CallPanel } from "../../parts/call-panel.tsx";
import { CompareToggle } from "../../parts/compare-controls.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ViewHeading, Waiting } from "../../parts/view-frame.tsx";
import { type CalculatorDraft, formatRoute } from "../../state/route.ts";
import { count, gigabytes, shortCount } from "../../words/formats.ts";
import { pageAddress } from "../../words/names.ts";
import { Calculator } from "./calculator.tsx";
import { HardwarePlan } from "./hardware-plan.tsx";
import { Measurements } from "./measurements.tsx";
import { ModelFacts, SourceList } from "./model-facts.tsx";
import { RunCommands } from "./run-commands.tsx";
import { RunFigures } from "./run-figures.tsx";
import { VariantTable } from "./variant-table.tsx";

interface ModelViewProps {
  readonly name: string;
  readonly calculator: CalculatorDraft;
}

/** All facts about a model, and how it runs. */
export function ModelView({ name, calculator }: ModelViewProps) {
  const call = calls.model(name);
  const { answer, error, isLoading, retry } = useCall(call);
  const entry = isLoading ? undefined : answer;
  return (
    <>
      <p class="crumbs">
        {entry === undefined ? (
          <a href={formatRoute({ view: "families" })}>Families</a>
        ) : (
          <a href={formatRoute({ view: "family", family: entry.family })}>{entry.family}</a>
        )}
      </p>
      <ViewHeading>
        <ModelTitle name={entry?.name ?? name} />
      </ViewHeading>
      {error !== undefined && <ErrorNotice error={error} retry={retry} />}
      {error?.kind === "not-found" && (
        <p class="row">
          <a class="button" href={formatRoute({ view: "models", list: { name: name.split("/").at(-1) as string } })}>
            Search for models by name
          </a>
        </p>
      )}
      {isLoading && <Waiting what="Loading the model …" />}
      {entry !== undefined && (
        <>
          <Summary entry={entry} />
          <section class="panel" aria-labelledby="runs-title">
            <h2 id="runs-title">How it would run</h2>
            <RunFigures entry={entry} />
          </section>
          <Calculator entry={entry} draft={calculator} />
          <HardwarePlan entry={entry} />
          <RunCommands entry={entry} />
          <Measurements entry={entry} />
          <div class="columns">
            <ModelFacts entry={entry} />
            <div>
              <VariantTable variants={entry.variants} sourceUrl={entry.sourceUrl} />
              <SourceList entry={entry} />
            </div>
          </div>
          <CallPanel call={call} />
        </>
      )}
    </>
  );
}

function ModelTitle({ name }: { readonly name: string }) {
  const slash = name.indexOf("/") + 1;
  return (
    <>
      <span class="owner">{name.slice(0, slash)}</span>
      <wbr />
      {name.slice(slash)}
    </>
  );
}

function Summary({ entry }: { readonly entry: ModelEntry }) {
  const { description, parameters, activeParameters, contextLength, sizeGb, license, sourceUrl, source } = entry;
  const active = activeParameters === undefined ? "" : `, ${shortCount(activeParameters)} active`;
  const figures: [string, string][] = [
    ...(parameters === undefined ? [] : [["Parameters", shortCount(parameters) + active] satisfies [string, string]]),
    ...(contextLength === undefined ? [] : [["Context", `${count(contextLength)} tokens`] satisfies [string, string]]),
    ["Full quality", sizeGb === undefined ? "size unknown" : gigabytes(sizeGb)],
    ["Licence", license ?? "unknown"],
  ];
  return (
    <>
      {description !== undefined && <p class="lead">{description}</p>}
      <dl class="headline-figures">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="row">
        <CompareToggle name={entry.name} />
        {pageAddress(sourceUrl) !== undefined && (
          <a class="button is-small" href={pageAddress(sourceUrl)} target="_blank" rel="noreferrer">
            {source} <Icon name="external" />
            <span class="visually-hidden"> page of {entry.name}, opens a new tab</span>
          </a>
        )}
      </p>
    </>
  );
}
