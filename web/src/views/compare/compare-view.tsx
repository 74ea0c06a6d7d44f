import { useEffect } from "preact/hooks";
import { calls } from "../../api/calls.ts";
import { useModels } from "../../api/use-models.ts";
import { CallPanel } from "../../parts/call-panel.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { ModelSearch } from "../../parts/model-search.tsx";
import { ViewHeading } from "../../parts/view-frame.tsx";
import { compared } from "../../state/compared.ts";
import { navigate } from "../../state/navigation.ts";
import { formatRoute, MAX_COMPARED } from "../../state/route.ts";
import { CompareTable } from "./compare-table.tsx";

/** Up to four models side by side. */
export function CompareView({ names }: { readonly names: readonly string[] }) {
  const { models, retry } = useModels(names);
  const set = (next: readonly string[]) => navigate({ view: "compare", names: [...new Set(next)] });
  useEffect(() => {
    // The models on screen are the selected ones, also when a link opened them.
    compared.value = names;
  }, [names.join("\n")]);
  const first = names[0];
  return (
    <>
      <ViewHeading>Compare</ViewHeading>
      <p class="lead">
        {names.length === 0
          ? "Select models with their “Compare” buttons, or enter a name."
          : "The same figures for each model. You can share this address."}
      </p>
      {names.length < MAX_COMPARED && (
        <div class="compare-form">
          <ModelSearch
            id="compare-name"
            label="Add a model"
            placeholder="a part of its name"
            onPick={(name) => set([...names, name])}
            onEnter={(name) => set([...names, name])}
          />
        </div>
      )}
      {models.map(
        ({ name, error }) =>
          error !== undefined && (
            <div key={name} class="compare-error">
              <ErrorNotice
                isRetried={false}
                error={error}
                retry={retry}
                hrefOf={(nearest) =>
                  formatRoute({ view: "compare", names: names.map((other) => (other === name ? nearest : other)) })
                }
              />
              <button
                type="button"
                class="button is-small"
                onClick={() => set(names.filter((other) => other !== name))}
              >
                Remove {name}
              </button>
            </div>
          ),
      )}
      {models.some(({ error }) => error === undefined) && (
        <CompareTable
          models={models.filter(({ error }) => error === undefined)}
          onRemove={(name) => set(names.filter((other) => other !== name))}
        />
      )}
      {first !== undefined && <CallPanel call={calls.model(first)} />}
    </>
  );
}
