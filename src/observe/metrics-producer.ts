import { type Attributes, type HrTime, ValueType } from "@opentelemetry/api";
import { millisToHrTime } from "@opentelemetry/core";
import { emptyResource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricDescriptor,
  type MetricProducer,
} from "@opentelemetry/sdk-metrics";
import type { MetricObjectWithValues, MetricValue } from "prom-client";

/** A metric of prom-client. Each value of a histogram also has a `metricName`: `…_bucket`, `…_sum`, `…_count`. */
export type PromMetric = MetricObjectWithValues<MetricValue<string>>;

/** Gives the Prometheus metrics to OpenTelemetry, so that both have the same values under the same names. */
export function metricsProducer(
  read: () => Promise<PromMetric[]>,
  scope: { name: string; version: string },
): MetricProducer {
  const startTime = millisToHrTime(Date.now());
  return {
    async collect() {
      const period = { startTime, endTime: millisToHrTime(Date.now()) };
      const metrics = (await read()).flatMap((metric) => metricOf(metric, period) ?? []);
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope, metrics }] }, errors: [] };
    },
  };
}

interface Period {
  startTime: HrTime;
  endTime: HrTime;
}

/** Undefined for summaries, which this service does not use. */
function metricOf(metric: PromMetric, period: Period): MetricData | undefined {
  const shared = { descriptor: descriptorOf(metric), aggregationTemporality: AggregationTemporality.CUMULATIVE };
  const points = () =>
    metric.values.map(({ labels, value }) => ({ ...period, attributes: attributesOf(labels), value }));
  // prom-client declares `type` as a number but returns names such as "counter".
  switch (String(metric.type)) {
    case "counter":
      return { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() };
    case "gauge":
      return { ...shared, dataPointType: DataPointType.GAUGE, dataPoints: points() };
    case "histogram":
      return { ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(metric, period) };
    default:
      return undefined;
  }
}

const units: ReadonlyArray<[suffix: string, unit: string]> = [
  ["_seconds", "s"],
  ["_bytes", "By"],
];

function descriptorOf({ name, help }: PromMetric): MetricDescriptor {
  const unit = units.find(([suffix]) => name.replace(/_total$/, "").endsWith(suffix))?.[1] ?? "";
  return { name, description: help, unit, valueType: ValueType.DOUBLE };
}

/** A Prometheus bucket also counts all smaller values, an OpenTelemetry bucket only its own. */
function histograms({ name, values }: PromMetric, period: Period): Array<DataPoint<Histogram>> {
  const found = new Map<string, { point: DataPoint<Histogram>; below: number }>();
  for (const each of values) {
    const { le, ...labels } = each.labels;
    const key = JSON.stringify(labels);
    const value: Histogram = { buckets: { boundaries: [], counts: [] }, sum: 0, count: 0 };
    const known = found.get(key) ?? { point: { ...period, attributes: attributesOf(labels), value }, below: 0 };
    found.set(key, known);
    const histogram = known.point.value;
    const part = "metricName" in each ? each.metricName : undefined;
    if (part === `${name}_sum`) {
      histogram.sum = each.value;
    } else if (part === `${name}_count`) {
      histogram.count = each.value;
    } else {
      if (le !== "+Inf") {
        histogram.buckets.boundaries.push(Number(le));
      }
      histogram.buckets.counts.push(each.value - known.below);
      known.below = each.value;
    }
  }
  return [...found.values()].map(({ point }) => point);
}

function attributesOf(labels: PromMetric["values"][number]["labels"]): Attributes {
  return { ...labels };
}
