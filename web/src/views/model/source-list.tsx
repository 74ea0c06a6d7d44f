import type { ModelEntry } from "../../../../src/client.ts";
import { date } from "../../format/date.ts";
import { pageAddress } from "../../parts/page-address.ts";

/** Where a model was seen, and where single facts are from. */
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
