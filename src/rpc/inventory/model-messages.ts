import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Hardware } from "../../../gen/modelscout/v1/inventory_pb.ts";
import {
  type Evaluation as EvaluationMessage,
  EvaluationSchema,
  type HardwareEstimate,
  HardwareEstimateSchema,
  type LicenseTerms,
  LicenseTermsSchema,
  type ModelEntry,
  ModelEntrySchema,
  type ModelSummary,
  ModelSummarySchema,
  type ThroughputSchema,
} from "../../../gen/modelscout/v1/model_pb.ts";
import { type Evaluation, standingInWords, standingsOf } from "../../evaluations/index.ts";
import {
  bestVariant,
  type Estimate,
  type HardwareFields,
  hardwareClasses,
  type SpeedRange,
  sentSpeed,
  type Throughput,
  throughputText,
} from "../../hardware/index.ts";
import {
  licenseFacts,
  type Model,
  modelFigures,
  releasedAt,
  runCommands,
  variantsToRun,
} from "../../inventory/index.ts";
import { adoptionOf, completenessOf, freshnessOf } from "../../recommend/index.ts";

/** A model in a list. */
export function summaryMessage(model: Model): ModelSummary {
  return create(ModelSummarySchema, summaryFields(model));
}

/** The fields that a summary and an entry have in common. */
function summaryFields(model: Model) {
  return {
    name: model.name,
    family: model.family,
    taskTypes: model.labels,
    source: model.source,
    sourceUrl: model.sourceUrl,
    license: model.license,
    parameters: model.parameters,
    sizeGb: model.sizeGb,
    downloads: model.downloads,
    releasedAt: releaseMonth(model),
  } satisfies MessageInitShape<typeof ModelSummarySchema>;
}

/** The month in which a model's line was released, as YYYY-MM. */
function releaseMonth(model: Model): string | undefined {
  const releasedMs = releasedAt(model);
  return releasedMs === undefined ? undefined : new Date(releasedMs).toISOString().slice(0, "2025-04".length);
}

/** Everything known of a model, with how it runs on each hardware class. `now` in milliseconds since 1970. */
export function entryMessage(model: Model, now: number): ModelEntry {
  const known = model.downloads !== undefined || model.likes !== undefined;
  return create(ModelEntrySchema, {
    ...summaryFields(model),
    series: model.series,
    licenseTerms: licenseMessage(model.license),
    activeParameters: model.activeParameters,
    contextLength: model.contextLength,
    languages: model.languages,
    library: model.library,
    tags: model.tags,
    baseModel: model.baseModel,
    gated: model.gated,
    likes: model.likes,
    updatedAt: model.updatedAt === undefined ? undefined : timestampFromMs(model.updatedAt),
    description: model.description,
    variants: model.variants,
    sources: model.sources.map(({ name, url, seenAt }) => ({
      name,
      url,
      seenAt: seenAt === undefined ? undefined : timestampFromMs(seenAt),
    })),
    quality: {
      adoption: known ? toShare(adoptionOf(model)) : undefined,
      freshness: (releasedAt(model) ?? model.updatedAt) === undefined ? undefined : toShare(freshnessOf(model, now)),
      completeness: toShare(completenessOf(model)),
    },
    hardware: classEstimates(model),
    factsFrom: model.factsFrom,
    evaluations: evaluationMessages(model.evaluations),
    capabilities: model.capabilities ?? [],
    run: runCommands(model),
  });
}

/** The figures of boards, each with the facts about its board and with its meaning in words. */
function evaluationMessages(evaluations: readonly Evaluation[] | undefined): EvaluationMessage[] {
  return standingsOf(evaluations).map((standing) => {
    const { facts } = standing;
    return create(EvaluationSchema, {
      board: standing.board,
      metric: facts.metric,
      value: standing.value,
      higherIsBetter: facts.higherIsBetter,
      place: standing.place,
      of: standing.of,
      asOf: standing.as_of,
      evidence: standing.evidence,
      source: facts.attribution,
      url: standing.url ?? facts.url,
      license: facts.license,
      boardName: facts.name,
      aspect: facts.aspect,
      device: facts.device,
      percentile: standing.percentile === undefined ? undefined : toShare(standing.percentile),
      summary: standingInWords(standing),
    });
  });
}

/** How the best variant runs on each class; empty if the model's size is unknown. */
function classEstimates(model: Model): HardwareEstimate[] {
  const figures = modelFigures(model);
  const variants = variantsToRun(model);
  return Object.entries(hardwareClasses).flatMap(([name, device]) => {
    const best = bestVariant(figures, variants, device, { withBasis: true });
    return best === undefined ? [] : [estimateMessage(name, best.estimate)];
  });
}

/** The hardware of a request, with the contract's fields only: other fields of the message would count as sent. */
export function hardwareFields(hardware: Hardware | undefined): HardwareFields | undefined {
  return (
    hardware && {
      class: hardware.class,
      gpuName: hardware.gpuName,
      gpuCount: hardware.gpuCount,
      cpuName: hardware.cpuName,
      memoryGb: hardware.memoryGb,
      memoryBandwidthGbS: hardware.memoryBandwidthGbS,
      systemMemoryGb: hardware.systemMemoryGb,
    }
  );
}

/** An estimate, with the name of its hardware and with memory to the megabyte. The parts add up to the whole. */
export function estimateMessage(hardware: string, estimate: Estimate): HardwareEstimate {
  const [weightsGb, kvCacheGb, overheadGb] = [
    toMegabytes(estimate.weightsGb),
    toMegabytes(estimate.kvCacheGb),
    toMegabytes(estimate.overheadGb),
  ];
  return create(HardwareEstimateSchema, {
    hardware,
    fit: estimate.fit,
    quantization: estimate.quantization,
    memoryGb: Number((weightsGb + kvCacheGb + overheadGb).toFixed(6)),
    weightsGb,
    kvCacheGb,
    kvCacheGbLow: estimate.kvCacheGbLow === undefined ? undefined : toMegabytes(estimate.kvCacheGbLow),
    overheadGb,
    tokensPerSecond: speedMessage(estimate.tokensPerSecond),
    timeToFirstTokenMs: threeDigits(estimate.timeToFirstTokenMs?.likely),
    timeToFirstTokenMsLow: threeDigits(estimate.timeToFirstTokenMs?.low),
    timeToFirstTokenMsHigh: threeDigits(estimate.timeToFirstTokenMs?.high),
    throughput: throughputMessage(estimate.throughput),
    basis: estimate.basis ?? [],
  });
}

function licenseMessage(license: string | undefined): LicenseTerms | undefined {
  if (license === undefined) {
    return undefined;
  }
  const facts = licenseFacts(license);
  return create(LicenseTermsSchema, {
    class: facts?.class ?? "unknown",
    commercialUse: facts === undefined ? undefined : facts.class !== "non-commercial",
    url: facts?.url,
    conditions: facts?.conditions,
  });
}

function threeDigits(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Number(value.toPrecision(3));
}

/** Rounds gigabytes to the megabyte; below ten megabytes to two digits, so that a small size is not shown as 0. */
function toMegabytes(gb: number): number {
  return Number(gb < 0.01 ? gb.toPrecision(2) : gb.toFixed(3));
}

function toShare(share: number): number {
  return Number(share.toFixed(4));
}

/** The speed of a model that generates no tokens, to three digits. */
export function throughputMessage(
  throughput: Throughput | undefined,
): MessageInitShape<typeof ThroughputSchema> | undefined {
  return (
    throughput && {
      ...speedMessage(throughput),
      unit: throughput.unit,
      item: throughput.item,
      summary: throughputText(throughput),
    }
  );
}

export function speedMessage(speed: SpeedRange | undefined): SpeedRange | undefined {
  return speed && { low: sentSpeed(speed.low), likely: sentSpeed(speed.likely), high: sentSpeed(speed.high) };
}
