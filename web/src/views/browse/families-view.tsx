import { useState } from "preact/hooks";
import type { FamilyCount } from "../../../../packages/client/src/index.ts";
import { calls } from "../../api/calls.ts";
import { useCall } from "../../api/use-call.ts";
import { Bar } from "../../charts/gauges.tsx";
import { Treemap, type TreemapItem } from "../../charts/treemap.tsx";
import { CallPanel } from "../../parts/call-panel.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { Field } from "../../parts/field.tsx";
import { ViewHeading, Waiting } from "../../parts/view-frame.tsx";
import { formatRoute } from "../../state/route.ts";
import { count, countOf } from "../../words/formats.ts";

/** More tiles would be too small to read. */
const MAX_TILES = 44;
/** Shades of one colour, deeper for more models. */
const DEPTHS = 5;
/** Rows shown at first. */
const ROWS = 60;

/** The families of the inventory, as areas and as a list. */
export function FamiliesView() {
  const call = calls.families();
  const { answer, error, retry } = useCall(call);
  const models = answer?.families.reduce((sum, family) => sum + family.count, 0);
  return (
    <>
      <ViewHeading>Families</ViewHeading>
      {answer !== undefined && models !== undefined && (
        <>
          <p class="lead">
            {count(models)} models in {count(answer.total)} families. A larger area means more models.
            {answer.total > MAX_TILES && ` The chart shows the ${MAX_TILES} largest families, the list all of them.`}
          </p>
          <Treemap title="Families by number of models" items={tiles(answer.families)} />
          <FamilyList families={answer.families} />
        </>
      )}
      {error !== undefined && <ErrorNotice error={error} retry={retry} />}
      {answer === undefined && error === undefined && <Waiting what="Loading families …" />}
      <CallPanel call={call} />
    </>
  );
}

function tiles(families: readonly FamilyCount[]): TreemapItem[] {
  const most = families[0]?.count ?? 1;
  return families.slice(0, MAX_TILES).map(({ family, count }) => ({
    label: family,
    value: count,
    meaning: countOf(count, "model"),
    href: formatRoute({ view: "family", family }),
    tone: `depth-${Math.min(DEPTHS - 1, Math.floor((DEPTHS * Math.log(count)) / Math.log(most + 1)))}`,
  }));
}

function FamilyList({ families }: { readonly families: readonly FamilyCount[] }) {
  const [filter, setFilter] = useState("");
  const [isWhole, setIsWhole] = useState(false);
  const found = families.filter(({ family }) => family.includes(filter.trim().toLowerCase()));
  const shown = isWhole ? found : found.slice(0, ROWS);
  return (
    <section id="all-families" tabIndex={-1} aria-labelledby="all-families-title">
      <header class="section-head">
        <h2 id="all-families-title">All families</h2>
        <Field id="family-filter" label="Filter">
          <input
            id="family-filter"
            type="search"
            value={filter}
            autocapitalize="none"
            spellcheck={false}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </Field>
      </header>
      <p class="visually-hidden" role="status">
        {filter !== "" && `${countOf(found.length, "family", "families")} found`}
      </p>
      <ul class="bar-list">
        {shown.map(({ family, count: n }) => (
          <li key={family}>
            <a href={formatRoute({ view: "family", family })}>{family}</a>
            <Bar value={n} most={families[0]?.count ?? 1} tone="depth-3" />
            <span class="figure">{count(n)}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="hint">No family name contains this text.</p>}
      {shown.length < found.length && (
        <p class="more-pages">
          <button type="button" class="button" onClick={() => setIsWhole(true)}>
            Show all {count(found.length)}
          </button>
        </p>
      )}
    </section>
  );
}
