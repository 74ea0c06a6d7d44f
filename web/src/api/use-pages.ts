import type { DescMessage } from "@bufbuild/protobuf";
import { useState } from "preact/hooks";
import type { ModelSummary } from "../../../src/client.ts";
import type { Call } from "./call.ts";
import { type CallState, useCall } from "./use-call.ts";

/** One page of a list of models. */
interface ModelPage {
  readonly total: number;
  readonly models: readonly ModelSummary[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

/** A list of models, as far as it was asked for. */
export interface Pages extends Pick<CallState<ModelPage>, "error" | "isLoading" | "retry"> {
  readonly models: readonly ModelSummary[];
  /** How many there are; undefined until the first page came. */
  readonly total: number | undefined;
  /** Asks for the next page; undefined on the last. */
  readonly loadMore: (() => void) | undefined;
}

/**
 * Follows a list page by page.
 *
 * @param callOf the call for the page of a token, for the first one without. Another list needs another component.
 */
export function usePages<I extends DescMessage>(callOf: (token: string | undefined) => Call<I>): Pages {
  const [token, setToken] = useState<string>();
  const [former, setFormer] = useState<readonly ModelSummary[]>([]);
  const { answer, error, isLoading, retry } = useCall(callOf(token)) as unknown as CallState<ModelPage>;
  const isCurrent = answer !== undefined && !isLoading && error === undefined;
  const models = isCurrent ? [...former, ...answer.models] : former;
  const next = isCurrent ? answer.nextPageToken : "";
  const loadMore = () => {
    setFormer(models);
    setToken(next);
  };
  return { models, total: answer?.total, error, isLoading, retry, loadMore: next === "" ? undefined : loadMore };
}
