import { useState } from "preact/hooks";
import type { Interest } from "../../../../packages/client/src/index.ts";
import { type CallError, toCallError, type Violation } from "../../api/call-error.ts";
import { calls } from "../../api/calls.ts";
import { makeCall } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import { emptyNeed, type NeedDraft } from "../../need/need-draft.ts";
import { NeedForm } from "../../need/need-form.tsx";
import { interestRequest } from "../../need/read-need.ts";
import { CallPanel } from "../../parts/call-panel.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { announce, Waiting } from "../../parts/view-frame.tsx";
import { navigate } from "../../state/navigation.ts";
import { InterestCard } from "./interest-card.tsx";

interface InterestPanelProps {
  /** The initial need in the form. */
  readonly need: NeedDraft;
}

/** The state of saving or deleting an interest. */
interface Saving {
  readonly isRunning: boolean;
  readonly violations: readonly Violation[];
  readonly failure?: { readonly error: CallError; readonly retry: () => void };
}

/** The interests of the key's owner, and the form to add one. */
export function InterestPanel({ need }: InterestPanelProps) {
  const [run, setRun] = useState(0);
  const { answer, error, isLoading, retry } = useCall(calls.interests(), { run });
  const [saving, setSaving] = useState<Saving>({ isRunning: false, violations: [] });

  const save = async (draft: NeedDraft) => {
    const read = interestRequest(draft);
    if ("violations" in read) {
      return setSaving({ isRunning: false, violations: read.violations });
    }
    setSaving({ isRunning: true, violations: [] });
    try {
      const { name } = await makeCall(calls.createInterest(read.interest));
      setSaving({ isRunning: false, violations: [] });
      announce(`Saved: ${name}.`);
      navigate({ view: "live", need: emptyNeed }, { replace: true });
      setRun((n) => n + 1);
    } catch (thrown) {
      const failure = toCallError(thrown);
      if (failure.kind === "fields") {
        setSaving({ isRunning: false, violations: failure.violations.map(ownField) });
      } else {
        setSaving({ isRunning: false, violations: [], failure: { error: failure, retry: () => void save(draft) } });
      }
    }
  };
  const remove = async (interest: Interest) => {
    try {
      await makeCall(calls.deleteInterest(interest.id));
      setSaving({ isRunning: false, violations: [] });
      announce(`Deleted: ${interest.name}.`);
      setRun((n) => n + 1);
    } catch (thrown) {
      const failure = { error: toCallError(thrown), retry: () => void remove(interest) };
      setSaving({ isRunning: false, violations: [], failure });
    }
  };

  return (
    <section class="interests" aria-labelledby="interests-title">
      <h2 id="interests-title">Your interests</h2>
      <NeedForm
        purpose="wait"
        need={need}
        violations={saving.violations}
        isLoading={saving.isRunning}
        onAsk={(draft) => void save(draft)}
      />
      {saving.failure !== undefined && <ErrorNotice {...saving.failure} isRetried={false} />}
      {error !== undefined && <ErrorNotice error={error} retry={retry} />}
      {answer === undefined && isLoading && <Waiting what="Loading your interests …" />}
      {answer?.interests.length === 0 && <p class="hint">None yet. Interests belong to the owner of your key.</p>}
      <ul class="interest-list">
        {answer?.interests.map((interest) => (
          <li key={interest.id}>
            <InterestCard interest={interest} onRemove={() => void remove(interest)} />
          </li>
        ))}
      </ul>
      <CallPanel call={calls.interests()} />
    </section>
  );
}

/** The service names fields as members of the interest. */
function ownField({ field, description }: Violation): Violation {
  return { field: field.replace(/^interest\./, ""), description };
}
