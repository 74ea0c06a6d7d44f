import { useEffect, useRef, useState } from "preact/hooks";
import type { Violation } from "../../api/call-error.ts";
import { calls } from "../../api/calls.ts";
import { quota } from "../../api/quota.ts";
import { useCall } from "../../api/use-call.ts";
import { myMachine } from "../../machine/my-machine.ts";
import { emptyNeed, type NeedDraft } from "../../need/need-draft.ts";
import { NeedForm } from "../../need/need-form.tsx";
import { readNeed } from "../../need/read-need.ts";
import { CallPanel } from "../../parts/call-panel.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { announce, ViewHeading, Waiting } from "../../parts/view-frame.tsx";
import { navigate } from "../../state/navigation.ts";
import { count, countOf } from "../../words/formats.ts";
import { AnswerView } from "./answer-view.tsx";
import { Overview } from "./overview.tsx";

interface SearchViewProps {
  readonly need: NeedDraft;
  readonly unasked: boolean;
}

/** The form of a need, and the answer to it. */
export function SearchView({ need: inAddress, unasked }: SearchViewProps) {
  // A new need is for the visitor's own machine, until they choose another.
  const isNew = JSON.stringify(inAddress) === JSON.stringify(emptyNeed);
  const need = isNew ? { ...inAddress, device: myMachine.value } : inAddress;
  const [run, setRun] = useState(0);
  const results = useRef<HTMLElement>(null);
  const focusedRun = useRef(0);
  const isAsked = !unasked && (need.description !== "" || run > 0);
  const read = readNeed(need);
  const call = "request" in read ? calls.recommend(read.request) : undefined;
  const { answer, error, isLoading, retry } = useCall(isAsked ? call : undefined, { isCached: true, run });
  const violations = "violations" in read ? read.violations : error?.kind === "fields" ? error.violations : [];

  const ask = (draft: NeedDraft) => {
    navigate({ view: "search", need: draft });
    setRun((n) => n + 1);
  };
  useEffect(() => {
    if (!isAsked || isLoading) {
      return;
    }
    if (answer !== undefined) {
      announce(
        answer.results.length === 0
          ? "No model passes these limits."
          : `${countOf(answer.results.length, "model")} recommended. The first is ${answer.results[0]?.model?.name}.`,
      );
      // Once per question that the visitor sends. After a link the focus stays at the top, and after a wish is dropped
      // it stays there.
      if (run > focusedRun.current) {
        results.current?.focus({ preventScroll: true });
      }
      focusedRun.current = run;
    }
  }, [answer, isLoading]);
  useEffect(() => {
    if (violations.length > 0) {
      document.querySelector<HTMLElement>(".need-form [aria-invalid]")?.focus();
    }
  }, [JSON.stringify(violations)]);

  return (
    <>
      <section class={isAsked ? "ask" : "ask is-welcome"}>
        <ViewHeading>
          Say what you <mark>need</mark>. See what runs.
        </ViewHeading>
        {!isAsked && (
          <p class="lead">
            Describe it in plain English. Get real models, ranked, with reasons, trade-offs, and what it takes to run
            them on your machine.
          </p>
        )}
        <NeedForm
          purpose="recommend"
          need={need}
          violations={violations as Violation[]}
          isLoading={isLoading && isAsked}
          onAsk={ask}
        />
      </section>
      {unasked && <UnaskedNotice onAsk={() => ask(need)} />}
      {(!isAsked || need.description.trim() === "") && !unasked && (
        <Overview onAsk={(description) => ask({ ...need, description, ignore: [] })} />
      )}
      {isAsked && (
        <section class="results" ref={results} tabIndex={-1} aria-label="Recommended models" aria-busy={isLoading}>
          {error !== undefined && error.kind !== "fields" && <ErrorNotice error={error} retry={retry} />}
          {answer === undefined && isLoading && <Waiting what="Reading the need and ranking the inventory …" />}
          {answer !== undefined && <AnswerView answer={answer} need={need} isStale={isLoading} />}
          {call !== undefined && error === undefined && <CallPanel call={call} />}
        </section>
      )}
    </>
  );
}

/** Asks for confirmation before a link of another site uses a recommendation. */
function UnaskedNotice({ onAsk }: { readonly onAsk: () => void }) {
  const { remaining } = quota.value;
  return (
    <section class="notice" aria-labelledby="unasked-title">
      <h2 id="unasked-title">This link contains a question</h2>
      <p>
        The link was on another site, so the question is not sent until you choose “Ask now”.
        {remaining !== undefined && ` Asking uses one of the ${count(remaining)} recommendations left today.`}
      </p>
      <p>
        <button type="button" class="button is-primary" onClick={onAsk}>
          Ask now
        </button>
      </p>
    </section>
  );
}
