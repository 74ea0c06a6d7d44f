import type { Evaluation, ModelEntry } from "../../../../packages/client/src/index.ts";
import { day } from "../../words/formats.ts";
import { pageAddress } from "../../words/names.ts";

/** Boards of one publisher that are shown at once; the others are behind a click. */
const SHOWN = 6;

/** What leaderboards measured of a model: each figure with its place in the board's field, its day and a link. */
export function Measurements({ entry: { evaluations } }: { readonly entry: ModelEntry }) {
  const publishers = [...new Set(evaluations.map(({ source }) => source))].sort();
  return (
    <section class="panel" aria-labelledby="measured-title">
      <h2 id="measured-title">Measured by others</h2>
      {evaluations.every(isClaim) && <p>No independent measurement is known.</p>}
      {publishers.map((publisher) => {
        const figures = evaluations.filter(({ source }) => source === publisher);
        const license = figures[0]?.license;
        return (
          <div key={publisher} class="measured-group">
            <h3>
              {publisher} <span class="sub">{license}</span>
            </h3>
            <FigureList figures={figures.slice(0, SHOWN)} />
            {figures.length > SHOWN && (
              <details>
                <summary>{figures.length - SHOWN} more</summary>
                <FigureList figures={figures.slice(SHOWN)} />
              </details>
            )}
          </div>
        );
      })}
      {evaluations.some(isClaim) && (
        <p class="hint">Figures marked as claims are the makers' own; nobody else has measured them.</p>
      )}
    </section>
  );
}

function isClaim({ evidence }: Evaluation): boolean {
  return evidence === "claimed";
}

function FigureList({ figures }: { readonly figures: readonly Evaluation[] }) {
  return (
    <ul class="measured-list">
      {figures.map((figure) => (
        <li key={figure.board} class={isClaim(figure) ? "is-claimed" : undefined}>
          <Summary figure={figure} />
          {figure.percentile !== undefined && <FieldBar percentile={figure.percentile} />}
          <span class="sub">
            {[figure.asOf && day(figure.asOf), figure.metric, figure.device && `on ${figure.device}`]
              .filter(Boolean)
              .join("; ")}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Summary({ figure: { summary, url } }: { readonly figure: Evaluation }) {
  const address = pageAddress(url);
  return address === undefined ? (
    <span>{summary}</span>
  ) : (
    <a href={address} target="_blank" rel="noreferrer">
      {summary}
    </a>
  );
}

/** Where the model is in the board's field: the last at the left end, the first at the right. The text says it too. */
function FieldBar({ percentile }: { readonly percentile: number }) {
  return (
    <svg class="bar depth-3" width="100%" height="8" aria-hidden="true">
      <rect class="bar-all" width="100%" height="8" rx="2" />
      <rect width={`${Math.max(1, 100 * percentile)}%`} height="8" rx="2" />
    </svg>
  );
}
