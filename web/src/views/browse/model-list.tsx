import type { DescMessage } from "@bufbuild/protobuf";
import type { Call } from "../../api/call.ts";
import { usePages } from "../../api/use-pages.ts";
import { count, shortCount } from "../../format/count.ts";
import { gigabytes } from "../../format/gigabytes.ts";
import { taskLabel } from "../../format/task-label.ts";
import { CallPanel } from "../../parts/call-panel.tsx";
import { CompareToggle } from "../../parts/compare-toggle.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { ModelName } from "../../parts/model-name.tsx";
import { Waiting } from "../../parts/waiting.tsx";

interface ModelListProps<I extends DescMessage> {
  /** The call for the page of a token, for the first one without. */
  readonly callOf: (token: string | undefined) => Call<I>;
  /** Where a name that exists leads to, when this list does not. */
  readonly hrefOf: (name: string) => string;
}

/** The models of a family or a task, most downloaded first, page by page. */
export function ModelList<I extends DescMessage>({ callOf, hrefOf }: ModelListProps<I>) {
  const { models, total, error, isLoading, retry, loadMore } = usePages(callOf);
  return (
    <>
      {total !== undefined && (
        <p class="hint" role="status">
          {count(models.length)} of {count(total)}, most downloaded first
        </p>
      )}
      <ul class="model-list">
        {models.map((model) => (
          <li key={model.name}>
            <div>
              <ModelName name={model.name} />
              <p class="facts">
                {model.taskTypes.slice(0, 2).map((task) => (
                  <span key={task}>{taskLabel(task)}</span>
                ))}
                <span>{model.license ?? "licence unknown"}</span>
              </p>
            </div>
            <p class="figure">
              {model.parameters !== undefined && (
                <>
                  <b>{shortCount(model.parameters)}</b>
                  <span class="sub">parameters</span>
                </>
              )}
            </p>
            <p class="figure">
              {model.sizeGb === undefined ? (
                <span class="sub">size unknown</span>
              ) : (
                <>
                  <b>{gigabytes(model.sizeGb)}</b>
                  <span class="sub">full quality</span>
                </>
              )}
            </p>
            <CompareToggle name={model.name} />
          </li>
        ))}
      </ul>
      {isLoading && <Waiting what="Asking for models …" />}
      {error !== undefined && <ErrorNotice error={error} retry={retry} hrefOf={hrefOf} />}
      {loadMore !== undefined && (
        <p class="more-pages">
          <button type="button" class="button" onClick={loadMore}>
            Show more
          </button>
        </p>
      )}
      {error === undefined && <CallPanel call={callOf(undefined) as Call} />}
    </>
  );
}
