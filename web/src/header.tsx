import { useEffect, useState } from "preact/hooks";
import { isMachine, machineLabel } from "./machine/machine.ts";
import { openMachineDialog } from "./machine/machine-dialog.tsx";
import { myMachine } from "./machine/my-machine.ts";
import { emptyNeed } from "./need/need-draft.ts";
import { connectionDialog } from "./parts/connection-dialog.tsx";
import { Icon } from "./parts/icon.tsx";
import { ModelSearch } from "./parts/model-search.tsx";
import { QuotaMeter } from "./parts/quota-meter.tsx";
import { compared } from "./state/compared.ts";
import { navigate, route } from "./state/navigation.ts";
import { emptyCalculator, formatRoute, type Route } from "./state/route.ts";
import { theme } from "./state/settings.ts";

/** The entries of the navigation, and the views that belong to each. */
const places: readonly { label: string; to: () => Route; views: readonly Route["view"][] }[] = [
  { label: "Search", to: () => ({ view: "search", need: emptyNeed }), views: ["search"] },
  { label: "Models", to: () => ({ view: "models" }), views: ["models", "model"] },
  { label: "Families", to: () => ({ view: "families" }), views: ["families", "family"] },
  { label: "Tasks", to: () => ({ view: "tasks" }), views: ["tasks", "task"] },
  { label: "Live", to: () => ({ view: "live", need: emptyNeed }), views: ["live"] },
  { label: "Compare", to: () => ({ view: "compare", names: compared.value }), views: ["compare"] },
];

/** The top of every view. */
export function PageHeader() {
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
        <ModelSearch
          id="find-model"
          label="Find a model"
          placeholder="Find a model"
          onPick={(name) => navigate({ view: "model", name, calculator: emptyCalculator })}
          onEnter={(name) => navigate({ view: "models", list: { name } })}
        />
        <div class="header-tools">
          <MachineButton />
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

/** Shows the visitor's own machine, and opens the dialog to change it. */
function MachineButton() {
  const label = isMachine(myMachine.value) ? machineLabel(myMachine.value) : "";
  return (
    <button
      type="button"
      class="button is-quiet is-small machine-button"
      aria-label={label === "" ? "My machine" : `My machine: ${label}`}
      onClick={openMachineDialog}
    >
      <Icon name="machine" />
      <span class="wide-only">{label || "My machine"}</span>
    </button>
  );
}

/** The name and its mark: a viewfinder around a point. */
function Logo() {
  return (
    <a class="logo" href="/">
      <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
        <path d="M8 12V8h4M20 8h4v4M24 20v4h-4M12 24H8v-4" />
        <circle cx="16" cy="16" r="4" />
      </svg>
      modelscout
    </a>
  );
}

const dark = matchMedia("(prefers-color-scheme: dark)");

/** Switches between dark and light. Follows the system's preference until it is used. */
function ThemeToggle() {
  const [systemIsDark, setSystemIsDark] = useState(dark.matches);
  useEffect(() => {
    const follow = () => setSystemIsDark(dark.matches);
    dark.addEventListener("change", follow);
    return () => dark.removeEventListener("change", follow);
  }, []);
  const isDark = theme.value === "system" ? systemIsDark : theme.value === "dark";
  const next = isDark ? "light" : "dark";
  return (
    <button
      type="button"
      class="button is-quiet is-icon"
      aria-label={`Switch to ${next} colours`}
      onClick={() => {
        // If the choice equals the system's preference, follow the system again.
        theme.value = (next === "dark") === systemIsDark ? "system" : next;
      }}
    >
      <Icon name={isDark ? "sun" : "moon"} />
    </button>
  );
}
