import { useEffect, useState } from "preact/hooks";
import { type TaskType, taskTypes } from "../data/task-types.ts";
import { client } from "./client.ts";

/**
 * How many models each task type has, most first. The rows of ListTasks cannot be added up to it: a model may have
 * several tasks of one type.
 *
 * @returns undefined until all are known; types that nothing is for are left out.
 */
export function useTypeCounts(): readonly (readonly [TaskType, number])[] | undefined {
  const [counts, setCounts] = useState<readonly (readonly [TaskType, number])[]>();
  useEffect(() => {
    const abort = new AbortController();
    const types = Object.keys(taskTypes) as TaskType[];
    Promise.all(
      types.map(async (type) => {
        // A type that no model is for is not found.
        const none = { total: 0 };
        const page = await client.value.inventory.listTaskModels({ task: type, pageSize: 1 }, abort).catch(() => none);
        return [type, page.total] as const;
      }),
    ).then((all) => {
      if (!abort.signal.aborted) {
        setCounts(all.filter(([, n]) => n > 0).sort(([, a], [, b]) => b - a));
      }
    });
    return () => abort.abort();
  }, []);
  return counts;
}
