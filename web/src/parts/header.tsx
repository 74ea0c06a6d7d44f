import { compared } from "../state/compared.ts";
import { route } from "../state/navigation.ts";
import { emptyNeed } from "../state/need-draft.ts";
import { formatRoute, type Route } from "../state/route.ts";
import { connectionDialog } from "./connection-dialog.tsx";
import { Icon } from "./icon.tsx";
import { Logo } from "./logo.tsx";
import { QuotaMeter } from "./quota-meter.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

/** The places to go to, and the views that belong to each. */
const places: readonly { label: string; to: () => Route; views: readonly Route["view"][] }[] = [
  { label: "Search", to: () => ({ view: "search", need: emptyNeed }), views: ["search"] },
  { label: "Families", to: () => ({ view: "families" }), views: ["families", "family"] },
  { label: "Tasks", to: () => ({ view: "tasks" }), views: ["tasks", "task"] },
  { label: "Live", to: () => ({ view: "live", need: emptyNeed }), views: ["live"] },
  { label: "Compare", to: () => ({ view: "compare", names: compared.value }), views: ["compare"] },
];

/** The top of every view. */
export function Header() {
  return (
    <header class="header">
      <div class="header-row">
        <Logo />
        <nav aria-label="Views">
          <ul>
            {places.map(({ label, to, views }) => (
              <li key={label}>
                <a href={formatRoute(to())} aria-current={views.includes(route.value.view) ? "page" : undefined}>
                  {label}
                </a>
              </li>
            ))}
            <li>
              <a href="/docs">API</a>
            </li>
          </ul>
        </nav>
        <div class="header-tools">
          <button type="button" class="button is-quiet is-small" onClick={() => connectionDialog.open()}>
            <Icon name="key" />
            <span class="visually-hidden">Key and connection. </span>
            <QuotaMeter />
          </button>
          <ThemeToggle />
        </div>
      </div>
    </header>
  );
}
