import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import { readConfig } from "../../../src/config/config.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { saveSync } from "../../../src/store/tables/syncs.ts";
import { libraryClients } from "../../support/clients/clients.ts";
import { sendHttp1 } from "../../support/clients/http.ts";
import { prometheusSamples } from "../../support/metrics/prometheus-samples.ts";
import { readPromql } from "../../support/metrics/promql.ts";
import { completion, sends, startLanguageModel } from "../../support/servers/language-model-server.ts";
import { addPendingDelivery } from "../../support/service/pending-delivery.ts";
import { startApp } from "../../support/service/start-app.ts";

const read = (name: string) => readFileSync(new URL(`../../../ops/${name}`, import.meta.url), "utf8");

const operations = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource?: { uid: string };
  targets?: Array<{ refId: string; expr: string; legendFormat: string }>;
}

const rules = (parse(read("prometheus-alerts.yaml")) as { groups: Array<{ rules: Rule[] }> }).groups.flatMap(
  (group) => group.rules,
);
const dashboard = JSON.parse(read("grafana-dashboard.json")) as {
  panels: Panel[];
  templating: { list: Array<{ name: string; query: string }> };
};
/** Grafana replaces these variables before it queries. */
const filledIn = (expression: string) => expression.replaceAll("$__rate_interval", "5m").replaceAll("$instance", ".*");
const expressions = [
  ...rules.map(({ alert, expr }) => [`alert ${alert}`, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, refId }) => [`panel ${title} ${refId}`, filledIn(expr)] as const),
  ),
];

/** Labels that Prometheus adds. */
const labelsOfPrometheus = ["job", "instance"];

const model = await startLanguageModel();
model.answer = sends(completion({ need: "Write poems", tasks: [], wishes: [], confidence: 0.9 }));
const { url, home } = await startApp({
  records: [{ name: "acme/one", task_types: ["text-generation"] }],
  isUnlimited: false,
  env: { MODELSCOUT_FREE_PER_DAY: "1", MODELSCOUT_LLM_URL: model.url, MODELSCOUT_LLM_MODEL: "test:1b" },
});

/** Causes each event that has a metric: a sync, an answer, a language model's reading, a refusal, a stream, a delivery. */
async function everyFigure(): Promise<Map<string, Set<string>>> {
  const { config } = readConfig({ MODELSCOUT_HOME: home });
  const store = await openStore(config);
  const report = {
    source: "huggingface",
    started_at: "2026-06-01T00:00:00Z",
    seconds: 1,
    outcome: "done",
    faults: 0,
    ...{ added: 1, changed: 0, unchanged: 0, vanished: 0, returned: 0, removed: 0, skipped: 0 },
  };
  const endedAt = Date.UTC(2026, 5, 1);
  await saveSync(store.db, { source: "huggingface", endedAt, report: JSON.stringify(report), succeeded: true });
  await addPendingDelivery(store, endedAt);
  await store.close();
  const path = "/models/recommend?q=poems";
  expect((await sendHttp1(url, { path })).status).toBe(200);
  expect((await sendHttp1(url, { path })).status).toBe(429);
  for (const client of libraryClients(url)) {
    await client.call(InventoryService.method.listFamilies, {});
  }
  const watching = new AbortController();
  await fetch(`${url}/grpc.health.v1.Health/Watch`, {
    method: "POST",
    headers: { "content-type": "application/connect+json" },
    body: new Uint8Array(
      [0, 0, 0, 0, 2, ..."{}"].map((each) => (typeof each === "string" ? each.charCodeAt(0) : each)),
    ),
    signal: watching.signal,
  });
  const labels = new Map<string, Set<string>>();
  const isComplete = async () => {
    const { text } = await sendHttp1(url, { path: "/metrics" });
    for (const sample of prometheusSamples(text)) {
      const known = labels.get(sample.name) ?? new Set();
      labels.set(sample.name, known);
      for (const label of Object.keys(sample.labels)) {
        known.add(label);
      }
    }
    return labels.get("modelscout_limit_refusals_total")?.has("limit") && labels.has("nodejs_gc_duration_seconds_sum");
  };
  await vi.waitUntil(isComplete, { timeout: 60_000 });
  watching.abort();
  return labels;
}

const served = await everyFigure();

it.each(expressions)("%s uses existing metrics and labels", (_name, expression) => {
  const { selectors, groupedBy } = readPromql(expression);
  expect(selectors.length).toBeGreaterThan(0);
  // Prometheus' own metric: whether it could read ours.
  const asked = selectors.filter(({ metric }) => metric !== "up");
  expect(asked.map(({ metric }) => metric).filter((metric) => !served.has(metric))).toEqual([]);
  for (const { metric, matchers } of asked) {
    const known = [...labelsOfPrometheus, ...(served.get(metric) ?? [])];
    expect(matchers.map(({ label }) => label).filter((label) => !known.includes(label))).toEqual([]);
    for (const label of groupedBy) {
      expect(known, `${metric} has the label ${label}`).toContain(label);
    }
  }
});

it("every metric of ours that shows trouble is on the dashboard", () => {
  const shown = expressions
    .filter(([name]) => name.startsWith("panel"))
    .flatMap(([, expression]) => readPromql(expression).selectors.map(({ metric }) => metric));
  const stems = new Set(shown.map((metric) => metric.replace(/_(?:bucket|sum|count)$/, "")));
  const own = [...served.keys()]
    .filter((name) => name.startsWith("modelscout_"))
    .map((name) => name.replace(/_(?:bucket|sum|count)$/, ""));
  // The end of the last sync adds nothing to the end of the last successful one.
  const left = new Set(own.filter((name) => !stems.has(name)));
  expect([...left]).toEqual(["modelscout_sync_last_end_timestamp_seconds"]);
});

it("the documentation lists every metric of ours, with its labels", () => {
  const documented = [...operations.matchAll(/^\| `(modelscout_\w+)` +\| ([^|]*)\|/gm)].map(
    ([, name = "", labels = ""]) => [name, labels.trim().split(/,\s*/).filter(Boolean).sort()] as const,
  );
  const own = [...served]
    .filter(([name]) => /^modelscout_/.test(name) && !/_(?:sum|count)$/.test(name))
    .map(
      ([name, labels]) => [name.replace(/_bucket$/, ""), [...labels].filter((label) => label !== "le").sort()] as const,
    );
  expect(new Map(documented)).toEqual(new Map(own));
});

describe("The alert rules", () => {
  it("have unique names, severities and descriptions", () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels, annotations, for: wait = "0s" } of rules) {
      expect(alert).toMatch(/^Modelscout[A-Z]\w+$/);
      expect(["page", "ticket"]).toContain(labels.severity);
      expect(annotations.summary).toBeTruthy();
      expect(wait).toMatch(/^\d+[smh]$/);
    }
  });

  it("name existing gRPC codes", () => {
    const codes = rules
      .flatMap(({ expr }) => readPromql(expr).selectors)
      .flatMap(({ matchers }) => matchers.filter(({ label }) => label === "code"))
      .flatMap(({ text }) => text.split("|"));
    const known = ["UNKNOWN", "INTERNAL", "DATA_LOSS", "UNAVAILABLE", "DEADLINE_EXCEEDED"];
    expect(codes.sort()).toEqual(known.sort());
  });
});

describe("The dashboard", () => {
  it("has panels that do not overlap, each with its own id and the chosen data source", () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const taken = new Set<string>();
    for (const { gridPos, type, datasource, title } of panels) {
      const { x, y, w, h } = gridPos;
      expect(x + w, title).toBeLessThanOrEqual(24);
      for (let i = x; i < x + w; i++) {
        for (let j = y; j < y + h; j++) {
          expect(taken.has(`${i},${j}`), `${title} overlaps`).toBe(false);
          taken.add(`${i},${j}`);
        }
      }
      if (type !== "row") {
        expect(datasource?.uid).toMatch(/^\$\{datasource\}$/);
      }
    }
  });

  it("offers existing values for its variables", () => {
    const [, metric] = /^label_values\((\w+), instance\)$/.exec(dashboard.templating.list[1]?.query ?? "") ?? [];
    expect(served.has(metric ?? "")).toBe(true);
  });
});
