import { gunzipSync } from "node:zlib";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { describe, expect, it } from "vitest";
import { sendHttp1 } from "../support/clients/http.ts";
import { prometheusSamples } from "../support/metrics/prometheus-samples.ts";
import { startOtlpReceiver } from "../support/servers/otlp-receiver.ts";
import { startApp } from "../support/service/start-app.ts";

const records = [{ name: "acme/one", task_types: ["text-generation"] }];
const path = "/models/recommend?q=poems";

describe("Metrics over OTLP", async () => {
  const receiver = await startOtlpReceiver();
  const { url } = await startApp({
    records,
    env: {
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${receiver.url}/v1/metrics`,
      OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: "http/json",
      OTEL_METRIC_EXPORT_INTERVAL: "50",
    },
  });
  await sendHttp1(url, { path });
  await sendHttp1(url, { path });

  it("have the values that Prometheus reads", async () => {
    const duration = { method: "modelscout.v1.RecommendationService/Recommend", protocol: "rest" };
    const quick = { ...duration, method: "modelscout.v1.RecommendationService/QuickRecommend" };
    const ofQuick = () =>
      receiver
        .points()
        .find(
          (point) => point.name === "modelscout_request_duration_seconds" && point.attributes.method === quick.method,
        );
    await expect.poll(() => ofQuick()?.histogram?.count, { timeout: 30_000 }).toBe(2);
    const { unit, attributes, histogram } = ofQuick()!;
    const { counts, bounds, sum } = histogram!;
    expect({ unit, attributes }).toEqual({ unit: "s", attributes: quick });
    expect(counts).toHaveLength(bounds.length + 1);
    expect(counts.reduce((total, each) => total + each)).toBe(2);
    expect(bounds).toEqual([...bounds].sort((a, b) => a - b));
    expect(sum).toBeGreaterThan(0);

    const points = receiver.points();
    const models = points.find(({ name }) => name === "modelscout_inventory_models");
    expect(models).toMatchObject({ kind: "gauge", value: 1 });
    const requests = points.find(
      ({ name, attributes }) => name === "modelscout_requests_total" && attributes.method === quick.method,
    );
    expect(requests).toMatchObject({ kind: "sum", value: 2, attributes: { ...quick, code: "OK" } });

    const { text } = await sendHttp1(url, { path: "/metrics" });
    const served = prometheusSamples(text).map(({ name }) => name.replace(/_(?:bucket|sum|count)$/, ""));
    // Node counts its requests and handles by type, and a type that has none at the moment has no sample.
    const lasting = (names: string[]) =>
      new Set(names.filter((name) => !/^nodejs_active_(?:requests|resources|handles)$/.test(name)));
    expect(lasting(points.map(({ name }) => name))).toEqual(lasting(served));
  });

  it("come without traces if these have no endpoint", () => {
    expect(new Set(receiver.exports.map((each) => each.path))).toEqual(new Set(["/v1/metrics"]));
  });
});

describe("http/protobuf", async () => {
  const receiver = await startOtlpReceiver();
  const { url } = await startApp({
    records,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_METRICS_COMPRESSION: "gzip",
      OTEL_METRIC_EXPORT_INTERVAL: "50",
      OTEL_BSP_SCHEDULE_DELAY: "20",
      MODELSCOUT_METRICS: "off",
    },
  });

  it("is the default for traces and metrics, also if /metrics is off", async () => {
    await sendHttp1(url, { path });
    const bodies = (signal: string) => receiver.exports.filter((each) => each.path === `/v1/${signal}`);
    // Message, scope, list of spans or metrics, name: field numbers in OTLP's Protobuf files.
    const names = (signal: string, name: number) =>
      bodies(signal).flatMap(({ body, headers }) =>
        texts(headers["content-encoding"] === "gzip" ? gunzipSync(body) : body, [1, 2, 2, name]),
      );
    await expect
      .poll(() => names("traces", 5), { timeout: 30_000 })
      .toContain("modelscout.v1.RecommendationService/QuickRecommend");
    await expect.poll(() => names("metrics", 1), { timeout: 30_000 }).toContain("modelscout_request_duration_seconds");
    expect(bodies("metrics")[0]?.headers["content-encoding"]).toBe("gzip");
    expect(bodies("traces")[0]?.headers["content-encoding"]).toBeUndefined();
    expect(new Set(receiver.exports.map(({ headers }) => headers["content-type"]))).toEqual(
      new Set(["application/x-protobuf"]),
    );
    expect((await sendHttp1(url, { path: "/metrics" })).status).toBe(404);
  });
});

/** The texts at the end of a path of field numbers in a Protobuf message. */
function texts(message: Uint8Array, [field, ...rest]: number[]): string[] {
  const found: string[] = [];
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (number !== field || type !== WireType.LengthDelimited) {
      reader.skip(type, number);
    } else if (rest.length === 0) {
      found.push(reader.string());
    } else {
      found.push(...texts(reader.bytes(), rest));
    }
  }
  return found;
}
