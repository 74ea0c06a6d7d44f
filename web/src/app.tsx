import { useEffect, useRef } from "preact/hooks";
import { calls } from "./api/calls.ts";
import { setUsage } from "./api/quota.ts";
import { useCall } from "./api/use-call.ts";
import { PageHeader } from "./header.tsx";
import { MachineDialog } from "./machine/machine-dialog.tsx";
import { CompareTray } from "./parts/compare-controls.tsx";
import { ConnectionDialog } from "./parts/connection-dialog.tsx";
import { Announcer } from "./parts/view-frame.tsx";
import { route } from "./state/navigation.ts";
import type { Route } from "./state/route.ts";
import { protocol } from "./state/settings.ts";
import { FamiliesView } from "./views/browse/families-view.tsx";
import { ListView, listTitle } from "./views/browse/list-view.tsx";
import { TasksView } from "./views/browse/tasks-view.tsx";
import { CompareView } from "./views/compare/compare-view.tsx";
import { LiveView } from "./views/live/live-view.tsx";
import { ModelView } from "./views/model/model-view.tsx";
import { NotFoundView } from "./views/not-found-view.tsx";
import { SearchView } from "./views/search/search-view.tsx";

/** The whole page. */
export function App() {
  const shown = route.value;
  const usage = useCall(calls.usage());
  useEffect(() => {
    if (usage.answer !== undefined) {
      setUsage(usage.answer);
    }
  }, [usage.answer]);
  useViewFocus(shown);
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <PageHeader />
      <main id="main" tabIndex={-1}>
        <View route={shown} />
      </main>
      {shown.view !== "compare" && <CompareTray />}
      <Footer />
      <ConnectionDialog error={usage.error} />
      <MachineDialog />
      <Announcer />
    </>
  );
}

function View({ route }: { readonly route: Route }) {
  switch (route.view) {
    case "search":
      return <SearchView need={route.need} unasked={route.unasked ?? false} />;
    case "families":
      return <FamiliesView />;
    case "tasks":
      return <TasksView />;
    case "family":
    case "task":
    case "models":
      return <ListView route={route} />;
    case "model":
      return <ModelView name={route.name} calculator={route.calculator} />;
    case "compare":
      return <CompareView names={route.names} />;
    case "live":
      return <LiveView need={route.need} />;
    case "not-found":
      return <NotFoundView path={route.path} />;
  }
}

/** Sets the page's title, and when another view opens, scrolls to the top and focuses the heading, like a new page. */
function useViewFocus(shown: Route): void {
  const title = titleOf(shown);
  const place = placeOf(shown);
  const last = useRef(place);
  useEffect(() => {
    document.title = title;
    if (last.current === place) {
      return;
    }
    last.current = place;
    scrollTo(0, 0);
    document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }, [title, place]);
}

/** Identifies a view. Routes of the same place differ only in their questions. */
function placeOf(shown: Route): string {
  switch (shown.view) {
    case "family":
      return `family ${shown.family}`;
    case "task":
      return `task ${shown.task}`;
    case "model":
      return `model ${shown.name}`;
    default:
      return shown.view;
  }
}

/** The footer of every view. */
function Footer() {
  return (
    <footer class="footer">
      <p>
        This page uses the generated client over <b>{protocol.value === "grpc-web" ? "gRPC-Web" : "Connect"}</b>. Memory
        and speed are estimates; each lists its basis.
      </p>
      <p>
        <a href="/docs">API reference</a> <a href="/openapi.json">OpenAPI</a> <a href="/healthz">Health</a>
      </p>
    </footer>
  );
}

/** The page's title for a route. */
function titleOf(route: Route): string {
  const title = viewTitle(route);
  return title === "" ? "modelscout: say what you need, see what runs" : `${title} · modelscout`;
}

function viewTitle(route: Route): string {
  switch (route.view) {
    case "search":
      return route.need.description;
    case "families":
      return "Families";
    case "tasks":
      return "Tasks";
    case "family":
    case "task":
    case "models":
      return listTitle(route);
    case "model":
      return route.name;
    case "live":
      return "Live matches";
    case "compare":
      return "Compare";
    case "not-found":
      return "Not found";
  }
}
