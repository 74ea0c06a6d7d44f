import { useEffect, useRef } from "preact/hooks";
import type { Match } from "../../../../packages/client/src/index.ts";
import { useWatch, type Watch } from "../../api/use-watch.ts";
import { Score } from "../../charts/gauges.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { ModelName } from "../../parts/model-name.tsx";
import { Reasons } from "../../parts/reasons.tsx";
import { announce } from "../../parts/view-frame.tsx";
import { dateTime, shortCount } from "../../words/formats.ts";
import { taskLabel } from "../../words/names.ts";

/** Reasons that a match shows at first. */
const REASONS = 2;

const states: Record<Watch["state"], string> = {
  connecting: "Connecting …",
  live: "Live",
  waiting: "Reconnecting …",
  ended: "Not connected",
};

/** The matches, newest first, and the state of the stream. */
export function MatchFeed() {
  const { matches, state, error, retry } = useWatch();
  const newest = matches[0];
  const announced = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (state === "live" && newest !== undefined && announced.current !== newest.id) {
      announce(`${newest.model?.name} matches ${newest.interestName}.`);
    }
    announced.current = newest?.id;
  }, [newest?.id]);
  return (
    <section class="feed" aria-labelledby="feed-title">
      <header class="section-head">
        <h2 id="feed-title">Matches</h2>
        <p class={`feed-state is-${state}`}>
          <span class="pulse" aria-hidden="true" />
          {states[state]}
        </p>
      </header>
      {error !== undefined && <ErrorNotice error={error} retry={retry} isRetried={false} />}
      {matches.length === 0 && error === undefined && (
        <p class="hint">
          No matches yet. Only new and changed models match. To see the models that fit now, open “What matches now” at
          an interest.
        </p>
      )}
      <ol class="cards">
        {matches.map((match) => (
          <li key={match.id}>
            <MatchCard match={match} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function MatchCard({ match }: { readonly match: Match }) {
  const { model, score, reasons, interestName, cause, matchedAt } = match;
  if (model === undefined) {
    return null;
  }
  return (
    <article class="card is-match" aria-label={model.name}>
      <header class="card-head">
        <div class="card-title">
          <p class="hint">
            {interestName} · {cause === "changed" ? "qualifies now" : "new"}
            {matchedAt !== undefined && <> · {dateTime(matchedAt)}</>}
          </p>
          <h3>
            <ModelName name={model.name} />
          </h3>
          <p class="facts">
            {model.taskTypes.slice(0, 2).map((task) => (
              <span key={task}>{taskLabel(task)}</span>
            ))}
            {model.parameters !== undefined && <span>{shortCount(model.parameters)} parameters</span>}
            <span>{model.license ?? "licence unknown"}</span>
          </p>
        </div>
        <Score score={score} />
      </header>
      <Reasons kind="reasons" sentences={reasons} shown={REASONS} />
    </article>
  );
}
