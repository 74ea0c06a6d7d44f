import { navigate } from "./state/navigation.ts";
import { readRoute } from "./state/route.ts";

/** Opens links to this page's own views without loading the page anew. */
export function followLinks(): void {
  document.addEventListener("click", (event) => {
    // Whoever holds a key wants a new tab or a download.
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
    // The href of a link in a drawing is no text, its attribute is.
    const href = (event.target as Element).closest("a:not([target])")?.getAttribute("href");
    if (href == null || !/^\/(?:\?|$)/.test(href)) {
      return;
    }
    event.preventDefault();
    navigate(readRoute(href.slice(1)));
  });
}
