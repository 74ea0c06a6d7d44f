import { signal } from "@preact/signals";
import { formatRoute, type Route, readRoute } from "./route.ts";

const shown = signal(readRoute(location.search));

/** What is on screen. */
export const route = {
  get value(): Route {
    return shown.value;
  },
};

addEventListener("popstate", () => {
  shown.value = readRoute(location.search);
});

/** Goes to a route. `replace` leaves no trace in the history, as for the state of a form. */
export function navigate(to: Route, { replace = false }: { replace?: boolean } = {}): void {
  const address = formatRoute(to);
  if (replace || address === location.pathname + location.search) {
    history.replaceState(null, "", address);
  } else {
    history.pushState(null, "", address);
  }
  shown.value = to;
}
