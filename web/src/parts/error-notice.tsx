import type { ToldError } from "../api/call-error.ts";
import { quota } from "../api/quota.ts";
import { emptyCalculator, formatRoute } from "../state/route.ts";
import { duration } from "../words/times.ts";
import { connectionDialog } from "./connection-dialog.tsx";

interface ErrorNoticeProps {
  readonly error: ToldError;
  readonly retry: () => void;
  /** Where a name that exists leads to. Default: to the model of that name. */
  readonly hrefOf?: (name: string) => string;
}

const modelHref = (name: string) => formatRoute({ view: "model", name, calculator: emptyCalculator });

/** Tells why there is no answer, and what helps. */
export function ErrorNotice({ error, retry, hrefOf = modelHref }: ErrorNoticeProps) {
  return (
    <section class={`notice is-${error.kind}`} role="alert">
      <Told error={error} retry={retry} hrefOf={hrefOf} />
    </section>
  );
}

function Told({ error, retry, hrefOf }: Required<ErrorNoticeProps>) {
  switch (error.kind) {
    case "quota":
      return <QuotaEnd retryAfterMs={error.retryAfterMs} />;
    case "later":
      return (
        <>
          <h2>One moment</h2>
          <p>{error.message}.</p>
          <p>This page asks again by itself, in {duration(error.retryAfterMs)}.</p>
        </>
      );
    case "fields":
      return (
        <>
          <h2>Something in the question is not right</h2>
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
              The nearest that exist:{" "}
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
            <OpenConnection label="Change or forget the key" />
          </p>
        </>
      );
    case "unreachable":
      return (
        <>
          <h2>The service does not answer</h2>
          <p>It may have been stopped, or the network is away.</p>
          <Retry retry={retry} />
        </>
      );
    default:
      return (
        <>
          <h2>That did not work</h2>
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
      <h2>{limit === undefined ? "Today’s recommendations are used" : `Today’s ${limit} recommendations are used`}</h2>
      <p>
        {wait !== undefined && `They are counted anew in ${duration(wait)}, at midnight UTC. `}
        Families, tasks, model pages, comparing and the calculator go on working: they are not counted.
      </p>
      {tier !== "basic" && (
        <p>
          A key gives more: Basic 1,000 a day with alternatives and full sizing, Pro without a limit. On a service of
          your own, <code>npx modelscout keys create --tier pro</code> prints one.
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
