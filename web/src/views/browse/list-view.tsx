import { useState } from "preact/hooks";
import type { ModelSummary, SearchModelsResponse } from "../../../../packages/client/src/index.ts";
import { calls } from "../../api/calls.ts";
import { type CallState, useCall } from "../../api/use-call.ts";
import { listOf } from "../../need/need-draft.ts";
import { parameterCount } from "../../need/read-need.ts";
import { CallPanel } from "../../parts/call-panel.tsx";
import { CompareToggle } from "../../parts/compare-controls.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { ModelName } from "../../parts/model-name.tsx";
import { ViewHeading, Waiting } from "../../parts/view-frame.tsx";
import { formatRoute, type ListRoute } from "../../state/route.ts";
import { count, gigabytes, month, shortCount } from "../../words/formats.ts";
import { taskLabel } from "../../words/names.ts";
import { isTaskType, taskTypes } from "../../words/need.ts";
import { ListForm, orderLabel } from "./list-form.tsx";

/** The models of a family, for a task, or of the whole inventory. */
export function ListView({ route }: { readonly route: ListRoute }) {
  return (
    <>
      {route.view !== "models" && (
        <p class="crumbs">
          <a href={formatRoute({ view: route.view === "family" ? "families" : "tasks" })}>
            {route.view === "family" ? "Families" : "Tasks"}
          </a>
        </p>
      )}
      <ViewHeading>{listTitle(route)}</ViewHeading>
      <ListForm route={route} />
      {/* Another list begins with its first page. */}
      <ModelList key={formatRoute(route)} route={route} />
    </>
  );
}

/** The name of a list. */
export function listTitle(route: ListRoute): string {
  switch (route.view) {
    case "family":
      return route.family;
    case "task":
      return isTaskType(route.task) ? taskTypes[route.task] : taskLabel(route.task);
    case "models":
      return "Models";
  }
}

/** The models of a list, page by page. */
function ModelList({ route }: { readonly route: ListRoute }) {
  const { list } = route;
  const search = {
    family: route.view === "family" ? route.family : undefined,
    task: route.view === "task" ? route.task : undefined,
    // The contract knows no empty limits.
    q: list?.name || undefined,
    hardware: list?.hardware || undefined,
    license: list?.license?.trim() || undefined,
    maxSizeGb: list?.max_size_gb?.trim() ? Number(list.max_size_gb) : undefined,
    capabilities: listOf(list?.capabilities ?? ""),
    minParameters: parameterCount(list?.min_parameters ?? ""),
    maxParameters: parameterCount(list?.max_parameters ?? ""),
    excludeGated: list?.exclude_gated === "true" || undefined,
    orderBy: list?.order_by || undefined,
  };
  const { models, total, error, isLoading, retry, loadMore } = usePages((token) => calls.searchModels(search, token));
  const hrefOf = (name: string) =>
    formatRoute(route.view === "task" ? { view: "task", task: name } : { view: "family", family: name });
  return (
    <>
      {total !== undefined && (
        <p class="hint" role="status">
          {total === 0
            ? "No model contains these words and meets all limits."
            : `${count(models.length)} of ${count(total)}, ordered by: ${orderLabel(list).toLowerCase()}`}
        </p>
      )}
      <ul class="model-list">
        {models.map((model) => (
          <ModelRow key={model.name} model={model} />
        ))}
      </ul>
      {isLoading && <Waiting what="Loading models …" />}
      {error !== undefined && <ErrorNotice error={error} retry={retry} hrefOf={hrefOf} />}
      {loadMore !== undefined && (
        <p class="more-pages">
          <button type="button" class="button" onClick={loadMore}>
            Show more
          </button>
        </p>
      )}
      {error === undefined && <CallPanel call={calls.searchModels(search)} />}
    </>
  );
}

function ModelRow({ model }: { readonly model: ModelSummary }) {
  return (
    <li>
      <div>
        <ModelName name={model.name} />
        <p class="facts">
          {model.taskTypes.slice(0, 2).map((task) => (
            <span key={task}>{taskLabel(task)}</span>
          ))}
          <span>{model.license ?? "licence unknown"}</span>
          {model.releasedAt !== undefined && <span>series from {month(model.releasedAt)}</span>}
        </p>
      </div>
      <Figure value={model.downloads} write={shortCount} unit="downloads" />
      <Figure value={model.parameters} write={shortCount} unit="parameters" />
      <Figure value={model.sizeGb} write={gigabytes} unit="full quality" unknown="size unknown" />
      <CompareToggle name={model.name} />
    </li>
  );
}

interface FigureProps {
  readonly value: number | undefined;
  readonly write: (value: number) => string;
  readonly unit: string;
  /** What is shown where the value is unknown. Default: nothing. */
  readonly unknown?: string;
}

function Figure({ value, write, unit, unknown }: FigureProps) {
  return (
    <p class="figure">
      {value !== undefined && <b>{write(value)}</b>}
      {(value !== undefined || unknown !== undefined) && (
        <span class="sub">{value === undefined ? unknown : unit}</span>
      )}
    </p>
  );
}

/** The pages of a list of models that are loaded. */
interface Pages extends Pick<CallState<SearchModelsResponse>, "error" | "isLoading" | "retry"> {
  readonly models: readonly ModelSummary[];
  /** Number of models on all pages; undefined until the first page is there. */
  readonly total: number | undefined;
  /** Loads the next page; undefined on the last. */
  readonly loadMore: (() => void) | undefined;
}

/**
 * Loads a list page by page.
 *
 * @param callOf the call for the page of a token, or for the first page. Another list needs another component.
 */
function usePages(callOf: (token: string | undefined) => ReturnType<typeof calls.searchModels>): Pages {
  const [token, setToken] = useState<string>();
  const [previous, setPrevious] = useState<readonly ModelSummary[]>([]);
  const { answer, error, isLoading, retry } = useCall(callOf(token));
  const isCurrent = answer !== undefined && !isLoading && error === undefined;
  const models = isCurrent ? [...previous, ...answer.models] : previous;
  const next = isCurrent ? answer.nextPageToken : "";
  const loadMore = () => {
    setPrevious(models);
    setToken(next);
  };
  return { models, total: answer?.total, error, isLoading, retry, loadMore: next === "" ? undefined : loadMore };
}
