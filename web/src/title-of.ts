import { taskLabel } from "./format/task-label.ts";
import type { Route } from "./state/route.ts";

/** The page's title for a route. */
export function titleOf(route: Route): string {
  const title = viewTitle(route);
  return title === "" ? "modelscout: say what you need, see what runs" : `${title} · modelscout`;
}

function viewTitle(route: Route): string {
  switch (route.view) {
    case "search":
      return route.need.description;
    case "families":
      return "Families";
    case "family":
      return route.family;
    case "tasks":
      return "Tasks";
    case "task":
      return taskLabel(route.task);
    case "model":
      return route.name;
    case "live":
      return "Live matches";
    case "compare":
      return "Compare";
  }
}
