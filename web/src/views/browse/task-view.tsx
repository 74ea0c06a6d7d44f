import { calls } from "../../api/calls.ts";
import { isTaskType, taskTypes } from "../../data/task-types.ts";
import { taskLabel } from "../../format/task-label.ts";
import { ViewHeading } from "../../parts/view-heading.tsx";
import { formatRoute } from "../../state/route.ts";
import { ModelList } from "./model-list.tsx";

/** The models for a task: a hub label or one of the nine types. */
export function TaskView({ task }: { readonly task: string }) {
  return (
    <>
      <p class="crumbs">
        <a href={formatRoute({ view: "tasks" })}>Tasks</a>
      </p>
      <ViewHeading>{isTaskType(task) ? taskTypes[task] : taskLabel(task)}</ViewHeading>
      <ModelList
        key={task}
        callOf={(token) => calls.taskModels(task, token)}
        hrefOf={(name) => formatRoute({ view: "task", task: name })}
      />
    </>
  );
}
