import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { serveArgs } from "../../../scripts/serve-command.ts";
import { readConfig } from "../../../src/config/config.ts";

const root = resolve(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Time that closing may take after the drain limit, in seconds; see run-serve.ts. */
const HARD_END_S = 5;

function unknownVariables(env: Record<string, string>): string[] {
  return readConfig(env).warnings.filter((warning) => warning.includes("is not a variable"));
}

describe("The unit of systemd", () => {
  const lines = read("ops/systemd/modelscout.service").split("\n");
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1));
  const env = Object.fromEntries(
    valuesOf("Environment")
      .flatMap((line) => line.split(" "))
      .map((pair) => pair.split("=") as [string, string]),
  );

  it("starts the same command as npm start, with its environment", () => {
    const [node = "", ...args] = (valuesOf("ExecStart")[0] ?? "").split(" ");
    expect(node).toMatch(/\/node_modules\/\.bin\/node$/);
    expect(args).toEqual(serveArgs.map((arg) => arg.replace(`${root}/`, "")));
    expect(env).toMatchObject({ MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "131072" });
  });

  it("sets variables that the program knows, and its home to the folder that systemd makes", () => {
    expect(unknownVariables(env)).toEqual([]);
    const { config } = readConfig(env);
    expect(config.home).toBe(`/var/lib/${valuesOf("StateDirectory")[0]}`);
    expect(Number(valuesOf("TimeoutStopSec")[0])).toBeGreaterThanOrEqual(config.drainMs / 1_000 + HARD_END_S);
  });
});

interface Probe {
  httpGet: { path: string; port: string };
}

interface Container {
  image: string;
  ports: Array<{ name: string; containerPort: number }>;
  env: Array<{ name: string; value: string }>;
  envFrom: Array<{ secretRef: { name: string } }>;
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  lifecycle: { preStop: { sleep: { seconds: number } } };
  resources: { limits: { memory: string } };
  volumeMounts: Array<{ name: string; mountPath: string }>;
}

describe("The manifests for Kubernetes", () => {
  const documents = parseAllDocuments(read("ops/kubernetes/modelscout.yaml")).map((each) => each.toJS());
  const ofKind = (kind: string) => documents.find((each) => each.kind === kind);
  const { replicas, selector, template } = ofKind("Deployment").spec;
  const container = template.spec.containers[0] as Container;
  const env: Record<string, string> = {
    HOST: "0.0.0.0",
    MODELSCOUT_HOME: "/var/lib/modelscout",
    ...ofKind("Secret").stringData,
    ...Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
  };

  it("are a Secret, a Deployment, a Service and a disruption budget that leaves a replica", () => {
    expect(documents.map(({ kind }) => kind).sort()).toEqual([
      "Deployment",
      "PodDisruptionBudget",
      "Secret",
      "Service",
    ]);
    expect(ofKind("PodDisruptionBudget").spec.minAvailable).toBeLessThan(replicas);
    for (const labels of [ofKind("Service").spec.selector, ofKind("PodDisruptionBudget").spec.selector.matchLabels]) {
      expect(template.metadata.labels).toMatchObject(labels);
    }
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    expect(container.envFrom).toEqual([{ secretRef: { name: ofKind("Secret").metadata.name } }]);
  });

  it("set variables that the program knows, to values that it accepts with replicas", () => {
    expect(unknownVariables(env)).toEqual([]);
    const { config } = readConfig(env);
    const ports = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]));
    expect(ports).toEqual({ http: config.port, metrics: (config.metrics as { port: number }).port });
    expect(template.metadata.annotations["prometheus.io/port"]).toBe(String(ports.metrics));
    expect(config.databaseUrl).toMatch(/^postgres:/);
    expect(config.inventoryUri).toMatch(/^s3:/);
    const needed = container.lifecycle.preStop.sleep.seconds + config.drainMs / 1_000 + HARD_END_S;
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(needed);
  });

  it("probe life and readiness apart, limit the memory, and write only to volumes", () => {
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
    expect(probes.map(({ httpGet }) => httpGet)).toEqual([
      { path: "/healthz", port: "http" },
      { path: "/healthz", port: "http" },
      { path: "/readyz", port: "http" },
    ]);
    expect(container.resources.limits.memory).toBe("1536Mi");
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual([env.MODELSCOUT_HOME, "/tmp"]);
    expect(container).toMatchObject({
      securityContext: {
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
      },
    });
    expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
  });
});
