import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { program } from "../cli/support/run-program.ts";
import { faultsOf } from "./support/faults-of.ts";

const read = (env: Record<string, string>) => readConfig(env).config.otel;

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };

describe("OpenTelemetry", () => {
  it.each([
    ["no variable", {}],
    ["only variables that name the service", { OTEL_SERVICE_NAME: "scout", OTEL_TRACES_SAMPLER: "nonsense" }],
    ["OTEL_SDK_DISABLED", { ...endpoint, OTEL_SDK_DISABLED: "True", OTEL_TRACES_SAMPLER: "nonsense" }],
    ["exporters set to none", { ...endpoint, OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" }],
  ])("is off with %s", (_name, env) => {
    expect(read(env)).toBeUndefined();
  });

  it("is on with an endpoint, to which the paths of the signals are added", () => {
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector/otlp/" })).toEqual({
      serviceName: "modelscout",
      resourceAttributes: {},
      traces: {
        url: "https://collector/otlp/v1/traces",
        protocol: "http/protobuf",
        compression: "none",
        timeoutMs: 10_000,
        headers: {},
        sampler: { followsCaller: true, ratio: 1 },
        delayMs: 5_000,
      },
      metrics: {
        url: "https://collector/otlp/v1/metrics",
        protocol: "http/protobuf",
        compression: "none",
        timeoutMs: 10_000,
        headers: {},
        intervalMs: 60_000,
      },
    });
  });

  it("prefers a signal's own variables to the shared ones", () => {
    const otel = read({
      ...endpoint,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://traces:1/there",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/protobuf",
      OTEL_EXPORTER_OTLP_HEADERS: "a=1,b=2%2C3",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: " a = own ",
    });
    expect(otel?.traces).toMatchObject({
      url: "http://traces:1/there",
      protocol: "http/protobuf",
      headers: { a: "own", b: "2,3" },
    });
    expect(otel?.metrics).toMatchObject({
      url: "http://collector:4318/v1/metrics",
      protocol: "http/json",
      headers: { a: "1", b: "2,3" },
    });
  });

  it("sends to this machine if only an exporter is set", () => {
    const otel = read({ OTEL_TRACES_EXPORTER: "otlp" });
    expect(otel?.traces?.url).toBe("http://localhost:4318/v1/traces");
    expect(otel?.metrics).toBeUndefined();
  });

  it.each([
    [{}, { followsCaller: true, ratio: 1 }],
    [{ OTEL_TRACES_SAMPLER: "always_on" }, { followsCaller: false, ratio: 1 }],
    [{ OTEL_TRACES_SAMPLER: "always_off" }, { followsCaller: false, ratio: 0 }],
    [
      { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" },
      { followsCaller: false, ratio: 0.25 },
    ],
    [{ OTEL_TRACES_SAMPLER: "parentbased_always_off" }, { followsCaller: true, ratio: 0 }],
    [
      { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" },
      { followsCaller: true, ratio: 0 },
    ],
  ])("samples by %j", (env, sampler) => {
    expect(read({ ...endpoint, ...env } as Record<string, string>)?.traces?.sampler).toEqual(sampler);
  });

  it("takes the service's name from the resource attributes, unless it is set itself", () => {
    const attributes = { OTEL_RESOURCE_ATTRIBUTES: "service.name=theirs,host.name=a" };
    expect(read({ ...endpoint, ...attributes })).toMatchObject({
      serviceName: "theirs",
      resourceAttributes: { "host.name": "a" },
    });
    expect(read({ ...endpoint, ...attributes, OTEL_SERVICE_NAME: "own" })?.serviceName).toBe("own");
  });

  it("reports every fault at once, and no secret", () => {
    expect(
      faultsOf({
        OTEL_EXPORTER_OTLP_ENDPOINT: "grpc://somebody:hidden@collector:4317",
        OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
        OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: "zip",
        OTEL_EXPORTER_OTLP_TIMEOUT: "10s",
        OTEL_EXPORTER_OTLP_CERTIFICATE: "/nonexistent/ca.pem",
        OTEL_EXPORTER_OTLP_METRICS_HEADERS: "hidden",
        OTEL_RESOURCE_ATTRIBUTES: "a=%",
        OTEL_TRACES_SAMPLER: "sometimes",
        OTEL_BSP_SCHEDULE_DELAY: "0",
        OTEL_METRIC_EXPORT_INTERVAL: "1s",
        LOG_LEVEL: "loud",
      }),
    ).toEqual([
      'OTEL_RESOURCE_ATTRIBUTES="a=%": must be name=value pairs separated by commas, percent-encoded',
      expect.stringMatching(/^OTEL_EXPORTER_OTLP_CERTIFICATE="\/nonexistent\/ca.pem": must be a file that can be read/),
      'OTEL_EXPORTER_OTLP_ENDPOINT="grpc://somebody:***@collector:4317": must be an http or https URL without a user, such as http://localhost:4318',
      'OTEL_EXPORTER_OTLP_PROTOCOL="grpc": must be one of http/protobuf, http/json',
      'OTEL_EXPORTER_OTLP_TRACES_COMPRESSION="zip": must be one of none, gzip',
      'OTEL_EXPORTER_OTLP_TIMEOUT="10s": must be a whole number of milliseconds from 1 to 999999999',
      expect.stringMatching(/^OTEL_TRACES_SAMPLER="sometimes": must be one of always_on, /),
      'OTEL_BSP_SCHEDULE_DELAY="0": must be a whole number of milliseconds from 1 to 999999999',
      "OTEL_EXPORTER_OTLP_METRICS_HEADERS=***: must be name=value pairs separated by commas, percent-encoded",
      'OTEL_METRIC_EXPORT_INTERVAL="1s": must be a whole number of milliseconds from 1 to 999999999',
      expect.stringMatching(/^LOG_LEVEL=/),
    ]);
    expect(faultsOf({ ...endpoint, OTEL_TRACES_EXPORTER: "console" })).toEqual([
      'OTEL_TRACES_EXPORTER="console": must be otlp or none',
    ]);
    expect(faultsOf({ ...endpoint, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "10%" })).toEqual([
      'OTEL_TRACES_SAMPLER_ARG="10%": must be a number from 0 to 1, such as 0.1',
    ]);
  });
});

it("Export problems are logged", async () => {
  const { start } = program();
  const child = start(["serve", "--port", "0"], {
    env: {
      ...endpoint,
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "nonsense",
      MODELSCOUT_STARTER: "off",
    },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stderr.resume();
  let log = "";
  child.stdout.on("data", (chunk) => (log += chunk));
  await expect
    .poll(() => log, { timeout: 120_000 })
    .toMatch(/"level":40,.*'nonsense'.*OpenTelemetry does not work fully/);
}, 150_000);

describe("Its packages", () => {
  const { home, start } = program();
  const hook = new URL("../embedding/support/trace-imports.ts", import.meta.url).pathname;

  /** The packages that a ready server has loaded. */
  async function loaded(name: string, env: Record<string, string>): Promise<Set<string>> {
    const traced = join(home, name);
    const child = start(["serve", "--port", "0"], {
      env: { NODE_OPTIONS: `--import ${hook}`, TRACE_IMPORTS_TO: traced, MODELSCOUT_STARTER: "off", ...env },
    });
    let output = "";
    child.stderr.on("data", (chunk) => (output += chunk));
    await expect.poll(() => output, { timeout: 120_000 }).toContain("are ready");
    child.kill("SIGKILL");
    const found = readFileSync(traced, "utf8").matchAll(/^main loads (@opentelemetry\/\S+)$/gm);
    return new Set([...found].map(([, each]) => each as string));
  }

  it("are loaded only if they are used", async () => {
    // prom-client loads the API.
    expect(await loaded("off", {})).toEqual(new Set(["@opentelemetry/api"]));
    expect(await loaded("on", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" })).toContain(
      "@opentelemetry/sdk-trace",
    );
  }, 300_000);
});
