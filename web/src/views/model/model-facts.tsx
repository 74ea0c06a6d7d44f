import type { ComponentChildren } from "preact";
import type { ModelEntry } from "../../../../packages/client/src/index.ts";
import { emptyCalculator, formatRoute } from "../../state/route.ts";
import { count, date, month } from "../../words/formats.ts";
import { languageName, pageAddress, taskLabel } from "../../words/names.ts";
import { capabilityLabel } from "../../words/need.ts";

const SHOWN_LANGUAGES = 12;

/** The known facts of a model. */
export function ModelFacts({ entry }: { readonly entry: ModelEntry }) {
  const { licenseTerms: terms, languages, quality } = entry;
  const facts: [string, ComponentChildren][] = [];
  const fact = (label: string, value: ComponentChildren) => {
    if (value !== undefined && value !== "" && value !== false) {
      facts.push([label, value]);
    }
  };
  fact(
    "Tasks",
    entry.taskTypes.length > 0 &&
      entry.taskTypes.map((task, i) => (
        <>
          {i > 0 && ", "}
          <a href={formatRoute({ view: "task", task })}>{taskLabel(task)}</a>
        </>
      )),
  );
  fact("Abilities", entry.capabilities.map(capabilityLabel).join(", "));
  fact("Series", entry.series);
  fact("Licence", terms && <LicenseText id={entry.license ?? ""} terms={terms} />);
  fact("Base model", entry.baseModel !== undefined && <BaseModel name={entry.baseModel} />);
  fact("Library", entry.library);
  fact("Languages", languages.length > 0 && <Languages codes={languages} />);
  fact(
    "Access",
    entry.gated === undefined
      ? undefined
      : entry.gated
        ? "terms must be accepted before the download"
        : "no terms to accept",
  );
  fact("Downloads", entry.downloads === undefined ? undefined : count(entry.downloads));
  fact("Likes", entry.likes === undefined ? undefined : count(entry.likes));
  fact("Series released", entry.releasedAt && month(entry.releasedAt));
  fact("Updated", entry.updatedAt && date(entry.updatedAt));
  fact("Tags", entry.tags.length > 0 && entry.tags.slice(0, 20).join(", "));
  return (
    <section class="panel" aria-labelledby="facts-title">
      <h2 id="facts-title">Facts</h2>
      <dl class="fact-list">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {quality !== undefined && (
        <>
          <h3>Quality signals in the ranking</h3>
          <dl class="signals">
            <Signal label="Adoption" value={quality.adoption} />
            <Signal label="Freshness" value={quality.freshness} />
            <Signal label="Completeness" value={quality.completeness} />
          </dl>
        </>
      )}
    </section>
  );
}

function LicenseText({ id, terms }: { readonly id: string; readonly terms: NonNullable<ModelEntry["licenseTerms"]> }) {
  const use =
    terms.commercialUse === undefined ? "" : terms.commercialUse ? ", commercial use allowed" : ", no commercial use";
  return (
    <>
      {terms.url === undefined ? (
        id
      ) : (
        <a href={terms.url} target="_blank" rel="noreferrer">
          {id}
        </a>
      )}{" "}
      ({terms.class}
      {use}){terms.conditions !== undefined && `; ${terms.conditions}`}
    </>
  );
}

function BaseModel({ name }: { readonly name: string }) {
  return <a href={formatRoute({ view: "model", name, calculator: emptyCalculator })}>{name}</a>;
}

function Languages({ codes }: { readonly codes: readonly string[] }) {
  const names = codes.map(languageName);
  if (names.length <= SHOWN_LANGUAGES) {
    return <>{names.join(", ")}</>;
  }
  return (
    <details>
      <summary>
        {names.slice(0, 4).join(", ")} and {names.length - 4} more
      </summary>
      {names.slice(4).join(", ")}
    </details>
  );
}

function Signal({ label, value }: { readonly label: string; readonly value: number | undefined }) {
  if (value === undefined) {
    return null;
  }
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <svg class="bar depth-3" width="100%" height="8" aria-hidden="true">
          <rect class="bar-all" width="100%" height="8" rx="2" />
          <rect width={`${100 * value}%`} height="8" rx="2" />
        </svg>
        <span class="figure">{value.toFixed(2)}</span>
      </dd>
    </div>
  );
}

/** The sources of a model, and of single facts. */
export function SourceList({ entry: { sources, factsFrom } }: { readonly entry: ModelEntry }) {
  return (
    <section class="panel" aria-labelledby="sources-title">
      <h2 id="sources-title">Sources</h2>
      <ul class="plain-list">
        {sources.map(({ name, url, seenAt }) => (
          <li key={`${name} ${url}`}>
            {pageAddress(url) === undefined ? (
              name
            ) : (
              <a href={pageAddress(url)} target="_blank" rel="noreferrer">
                {name}
              </a>
            )}
            {seenAt !== undefined && <span class="sub"> seen {date(seenAt)}</span>}
          </li>
        ))}
      </ul>
      {Object.keys(factsFrom).length > 0 && (
        <dl class="fact-list">
          {Object.entries(factsFrom).map(([field, from]) => (
            <div key={field}>
              <dt>{field.replaceAll("_", " ")}</dt>
              <dd>{from}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
