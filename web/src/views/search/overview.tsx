import { useEffect, useState } from "preact/hooks";
import { calls } from "../../api/calls.ts";
import { client } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import { TypeStrip } from "../../charts/type-strip.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { formatRoute } from "../../state/route.ts";
import { count } from "../../words/formats.ts";
import { type TaskType, taskTypes } from "../../words/need.ts";

/** What a visitor sees first: examples of needs, and the inventory by task type. */
export function Overview({ onAsk }: { readonly onAsk: (description: string) => void }) {
  const families = useCall(calls.families());
  const tasks = useCall(calls.tasks());
  const counts = useTypeCounts();
  const models = families.answer?.families.reduce((sum, family) => sum + family.count, 0);
  return (
    <>
      <section class="examples" aria-labelledby="examples-title">
        <h2 id="examples-title">Or start with an example</h2>
        <ul>
          {examples.map((example) => (
            <li key={example}>
              <button type="button" class="example" onClick={() => onAsk(example)}>
                {example}
              </button>
            </li>
          ))}
        </ul>
      </section>
      {tasks.error !== undefined && <ErrorNotice error={tasks.error} retry={tasks.retry} />}
      {tasks.answer !== undefined && models !== undefined && counts !== undefined && (
        <section class="inventory" aria-labelledby="inventory-title">
          <h2 id="inventory-title">
            <a href={formatRoute({ view: "models" })}>{count(models)} models</a> in{" "}
            <a href={formatRoute({ view: "families" })}>{count(families.answer?.total ?? 0)} families</a> for{" "}
            <a href={formatRoute({ view: "tasks" })}>{count(tasks.answer.total)} tasks</a>, searched by this service
          </h2>
          <TypeStrip counts={counts} />
        </section>
      )}
    </>
  );
}

/**
 * Counts the models of each task type, most first. The rows of ListTasks cannot be added up, because a model may have
 * several tasks of one type.
 *
 * @returns undefined until all are known; types without models are left out.
 */
function useTypeCounts(): readonly (readonly [TaskType, number])[] | undefined {
  const [counts, setCounts] = useState<readonly (readonly [TaskType, number])[]>();
  useEffect(() => {
    const abort = new AbortController();
    const types = Object.keys(taskTypes) as TaskType[];
    Promise.all(
      types.map(async (type) => {
        // A type without models is NOT_FOUND.
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

/** Examples of needs, of different task types. */
export const examples = [
  "transcribe long meetings on a laptop without a GPU",
  "a support chatbot that answers in German, under 6 GB, commercial use",
  "product photos from a text, on a 24 GB card",
  "find similar support tickets, permissive licence",
  "complete Python code in my editor on an 8 GB GPU",
  "read text from scanned receipts",
  "describe photos for blind people",
  "forecast electricity demand for next week",
] as const;
