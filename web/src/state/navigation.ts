import { signal } from "@preact/signals";
import { formatRoute, type Route, readRoute } from "./route.ts";

const shown = signal(routeOfAddress());

/** The page is at "/"; the service shows it at other paths only to say that nothing is there. */
function routeOfAddress(): Route {
  return location.pathname === "/" ? readRoute(location.search) : { view: "not-found", path: location.pathname };
}

/** The current route. */
export const route = {
  get value(): Route {
    return shown.value;
  },
};

addEventListener("popstate", () => {
  shown.value = routeOfAddress();
});

/** Goes to a route. `replace` adds no entry to the history, as for the state of a form. */
export function navigate(to: Route, { replace = false }: { replace?: boolean } = {}): void {
  const address = formatRoute(to);
  if (replace || address === location.pathname + location.search) {
    history.replaceState(null, "", address);
  } else {
    history.pushState(null, "", address);
  }
  shown.value = to;
}

/** Opens links to this page's views without reloading the page. */
export function followLinks(): void {
  document.addEventListener("click", (event) => {
    // With a modifier key, the visitor wants a new tab or a download.
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    ) {
      return;
    }
    // The `href` property of a link in SVG is not a string; the attribute is.
    const href = (event.target as Element).closest("a:not([target])")?.getAttribute("href");
    if (href == null || !/^\/(?:\?|$)/.test(href)) {
      return;
    }
    event.preventDefault();
    navigate(readRoute(href.slice(1)));
  });
}
