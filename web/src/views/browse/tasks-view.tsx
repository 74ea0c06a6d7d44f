import type { TaskCount } from "../../../../packages/client/src/index.ts";
import { calls } from "../../api/calls.ts";
import { useCall } from "../../api/use-call.ts";
import { Bar } from "../../charts/gauges.tsx";
import { Treemap } from "../../charts/treemap.tsx";
import { CallPanel } from "../../parts/call-panel.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { ViewHeading, Waiting } from "../../parts/view-frame.tsx";
import { formatRoute } from "../../state/route.ts";
import { count, countOf } from "../../words/formats.ts";
import { taskLabel } from "../../words/names.ts";
import { isTaskType, type TaskType, taskTypes } from "../../words/need.ts";

/** The tasks of the inventory, as areas and by task type. */
export function TasksView() {
  const call = calls.tasks();
  const { answer, error, retry } = useCall(call);
  const tasks = answer?.tasks ?? [];
  return (
    <>
      <ViewHeading>Tasks</ViewHeading>
      {answer !== undefined && (
        <>
          <p class="lead">
            {count(answer.total)} tasks in nine task types. A model with several tasks is counted in each of them.
            Models for code also have a row of their own.
          </p>
          <Treemap
            title="Tasks by number of models"
            items={tasks.map((task) => ({
              label: labelOf(task),
              value: task.count,
              meaning: countOf(task.count, "model"),
              href: hrefOf(task),
              tone: `type-${task.taskType}`,
            }))}
          />
          <div class="type-groups">
            {byType(tasks).map(([type, rows]) => (
              <section key={type} aria-labelledby={`type-${type}-title`}>
                <h2 id={`type-${type}-title`}>
                  <i class={`swatch type-${type}`} aria-hidden="true" />
                  <a href={formatRoute({ view: "task", task: type })}>{taskTypes[type]}</a>
                </h2>
                <ul class="bar-list">
                  {rows.map((task) => (
                    <li key={labelOf(task)}>
                      <a href={hrefOf(task)}>{labelOf(task)}</a>
                      <Bar value={task.count} most={tasks[0]?.count ?? 1} tone={`type-${type}`} />
                      <span class="figure">{count(task.count)}</span>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </div>
        </>
      )}
      {error !== undefined && <ErrorNotice error={error} retry={retry} />}
      {answer === undefined && error === undefined && <Waiting what="Loading tasks …" />}
      <CallPanel call={call} />
    </>
  );
}

/** Models for code share a hub label with others, and have their own row. */
function isCode({ task, taskType }: TaskCount): boolean {
  return taskType === "code" && task === "text-generation";
}

function labelOf(task: TaskCount): string {
  return isCode(task) ? "code" : taskLabel(task.task);
}

function hrefOf(task: TaskCount): string {
  return formatRoute({ view: "task", task: isCode(task) ? "code" : task.task });
}

/** Types with the most models first. */
function byType(tasks: readonly TaskCount[]): [TaskType, TaskCount[]][] {
  const groups = new Map<TaskType, TaskCount[]>();
  for (const task of tasks) {
    const type = isTaskType(task.taskType) ? task.taskType : "other";
    groups.set(type, [...(groups.get(type) ?? []), task]);
  }
  const total = (rows: readonly TaskCount[]) => rows.reduce((sum, row) => sum + row.count, 0);
  return [...groups].sort(([, a], [, b]) => total(b) - total(a));
}
