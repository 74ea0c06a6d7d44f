import { useEffect, useState } from "preact/hooks";
import type { ModelEntry } from "../../../src/client.ts";
import { apiKey } from "../state/settings.ts";
import { type CallError, toCallError } from "./call-error.ts";
import { client } from "./client.ts";

/** A model that was requested by name. */
export interface NamedModel {
  readonly name: string;
  readonly entry: ModelEntry | undefined;
  readonly error: CallError | undefined;
}

/**
 * Requests several models at once. They keep the order of the names; a model has neither entry nor error until its
 * answer is there.
 */
export function useModels(names: readonly string[]): { models: readonly NamedModel[]; retry: () => void } {
  const [known, setKnown] = useState<ReadonlyMap<string, NamedModel>>(new Map());
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    const set = (model: NamedModel) => {
      if (!abort.signal.aborted) {
        setKnown((models) => new Map(models).set(model.name, model));
      }
    };
    for (const name of names) {
      if (known.get(name)?.entry !== undefined) {
        continue;
      }
      client.value.inventory.getModel({ modelName: name }, abort).then(
        (entry) => set({ name, entry, error: undefined }),
        (thrown) => set({ name, entry: undefined, error: toCallError(thrown) }),
      );
    }
    return () => abort.abort();
  }, [names.join("\n"), apiKey.value, attempt]);
  return {
    models: names.map((name) => known.get(name) ?? { name, entry: undefined, error: undefined }),
    retry: () => setAttempt((n) => n + 1),
  };
}
