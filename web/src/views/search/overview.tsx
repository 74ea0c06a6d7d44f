import { calls } from "../../api/calls.ts";
import { useCall } from "../../api/use-call.ts";
import { useTypeCounts } from "../../api/use-type-counts.ts";
import { TypeStrip } from "../../charts/type-strip.tsx";
import { examples } from "../../data/examples.ts";
import { count } from "../../format/count.ts";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { formatRoute } from "../../state/route.ts";

/** What a visitor sees first: needs to start from, and what the inventory holds. */
export function Overview({ onAsk }: { readonly onAsk: (description: string) => void }) {
  const families = useCall(calls.families());
  const tasks = useCall(calls.tasks());
  const counts = useTypeCounts();
  const models = families.answer?.families.reduce((sum, family) => sum + family.count, 0);
  return (
    <>
      <section class="examples" aria-labelledby="examples-title">
        <h2 id="examples-title">Or start from one of these</h2>
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
            {count(models)} models in{" "}
            <a href={formatRoute({ view: "families" })}>{count(families.answer?.total ?? 0)} families</a> for{" "}
            <a href={formatRoute({ view: "tasks" })}>{count(tasks.answer.total)} tasks</a>, searched on this machine
          </h2>
          <TypeStrip counts={counts} />
        </section>
      )}
    </>
  );
}
