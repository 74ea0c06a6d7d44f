import type { CallError } from "../api/call-error.ts";
import { quota } from "../api/quota.ts";
import { emptyCalculator, formatRoute } from "../state/route.ts";
import { countOf, duration } from "../words/formats.ts";
import { connectionDialog } from "./connection-dialog.tsx";

interface ErrorNoticeProps {
  readonly error: CallError;
  readonly retry: () => void;
  /** Whether the call is made again by itself once the service can answer. Default true. */
  readonly isRetried?: boolean;
  /** The link for a nearest name. Default: the page of the model. */
  readonly hrefOf?: (name: string) => string;
}

const modelHref = (name: string) => formatRoute({ view: "model", name, calculator: emptyCalculator });

/** Says why there is no answer, and what helps. */
export function ErrorNotice({ error, retry, isRetried = true, hrefOf = modelHref }: ErrorNoticeProps) {
  return (
    <section class={`notice is-${error.kind}`} role="alert">
      <Explanation error={error} retry={retry} isRetried={isRetried} hrefOf={hrefOf} />
    </section>
  );
}

/** What makes room, by what there is too much of. */
const remedies: Readonly<Record<string, string>> = {
  interests: "Delete an interest in the list below, then save this one again.",
  "open streams": "Close another tab or program that watches matches, then try again.",
};

function Explanation({ error, retry, isRetried, hrefOf }: Required<ErrorNoticeProps>) {
  switch (error.kind) {
    case "quota":
      return <QuotaEnd retryAfterMs={error.retryAfterMs} />;
    case "later":
      return (
        <>
          <h2>The service cannot answer right now</h2>
          <p>{error.message}.</p>
          {isRetried ? (
            <p>This page will try again in {duration(error.retryAfterMs)}.</p>
          ) : (
            <>
              <p>Try again in {duration(error.retryAfterMs)}.</p>
              <Retry retry={retry} />
            </>
          )}
        </>
      );
    case "limit":
      return (
        <>
          <h2>A limit is reached</h2>
          <p>{error.message}.</p>
          <p>{remedies[error.things]}</p>
          <Retry retry={retry} />
        </>
      );
    case "fields":
      return (
        <>
          <h2>The request is not valid</h2>
          <ul>
            {error.violations.map(({ field, description }) => (
              <li key={`${field} ${description}`}>
                <b>{field}</b> {description}
              </li>
            ))}
          </ul>
        </>
      );
    case "not-found":
      return (
        <>
          <h2>Not in the inventory</h2>
          <p>{error.message.replace(/; the nearest:.*$/s, "")}.</p>
          {error.nearest.length > 0 && (
            <p>
              Nearest names:{" "}
              {error.nearest.map((name, i) => (
                <>
                  {i > 0 && ", "}
                  <a href={hrefOf(name)}>{name}</a>
                </>
              ))}
              .
            </p>
          )}
        </>
      );
    case "key":
      return (
        <>
          <h2>The key is not accepted</h2>
          <p>{error.message}.</p>
          <p>
            <OpenConnection label="Change or remove the key" />
          </p>
        </>
      );
    case "unreachable":
      return (
        <>
          <h2>The service does not answer</h2>
          <p>It may be stopped, or the network may be down.</p>
          <Retry retry={retry} />
        </>
      );
    default:
      return (
        <>
          <h2>The call failed</h2>
          <p>{error.message}</p>
          <Retry retry={retry} />
        </>
      );
  }
}

function QuotaEnd({ retryAfterMs }: { readonly retryAfterMs: number | undefined }) {
  const { tier, limit, resetAt } = quota.value;
  const wait = retryAfterMs ?? (resetAt === undefined ? undefined : resetAt.getTime() - Date.now());
  return (
    <>
      <h2>
        Today’s {limit === undefined ? "recommendations" : countOf(limit, "recommendation")}{" "}
        {limit === 1 ? "is" : "are"} used up
      </h2>
      <p>
        {wait !== undefined && `The count resets in ${duration(wait)}, at midnight UTC. `}
        Families, tasks, model pages, comparisons and the calculator keep working: they use no recommendations.
      </p>
      {tier !== "basic" && (
        <p>
          A Basic key has its own daily quota, and its answers also have alternatives, memory, fit and speed. A Pro key
          has no limit. If you run this service, <code>npx modelscout keys create --tier pro</code> prints a key.
        </p>
      )}
      <p>
        <OpenConnection label="Enter a key" />
      </p>
    </>
  );
}

function OpenConnection({ label }: { readonly label: string }) {
  return (
    <button type="button" class="button is-primary" onClick={() => connectionDialog.open()}>
      {label}
    </button>
  );
}

function Retry({ retry }: { readonly retry: () => void }) {
  return (
    <p>
      <button type="button" class="button" onClick={retry}>
        Try again
      </button>
    </p>
  );
}
