import { quota } from "../../api/quota.ts";
import type { NeedDraft } from "../../need/need-draft.ts";
import { connectionDialog } from "../../parts/connection-dialog.tsx";
import { ViewHeading } from "../../parts/view-heading.tsx";
import { apiKey } from "../../state/settings.ts";
import { InterestPanel } from "./interest-panel.tsx";
import { MatchFeed } from "./match-feed.tsx";

/** Where a Pro key's matches arrive, and what they are waited for with. */
export function LiveView({ need }: { readonly need: NeedDraft }) {
  const isPro = apiKey.value !== "" && quota.value.tier === "pro";
  return (
    <>
      <ViewHeading>Live matches</ViewHeading>
      <p class="lead">
        Save what you wait for. When a sync brings a model that suits it, or changes one so that it does, it appears
        here as it happens.
      </p>
      {isPro ? (
        <div class="live">
          <MatchFeed />
          <InterestPanel need={need} />
        </div>
      ) : (
        <KeyNeeded />
      )}
    </>
  );
}

function KeyNeeded() {
  const { tier } = quota.value;
  return (
    <section class="notice">
      <h2>This is part of Pro</h2>
      <p>
        {apiKey.value === "" || tier === undefined
          ? "With a Pro key you see your matches arrive."
          : `The key of this tab is of the ${tier.charAt(0).toUpperCase()}${tier.slice(1)} tier.`}{" "}
        On a service of your own, <code>npx modelscout keys create --tier pro</code> prints one.
      </p>
      <p>
        <button type="button" class="button is-primary" onClick={() => connectionDialog.open()}>
          Enter a key
        </button>
      </p>
    </section>
  );
}
