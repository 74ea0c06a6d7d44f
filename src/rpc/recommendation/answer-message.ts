import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type RecommendResponse,
  RecommendResponseSchema,
  type SizingSchema,
} from "../../../gen/modelscout/v1/recommendation_pb.ts";
import type { Tier } from "../../access/caller.ts";
import type { Answer, Recommendation } from "../../recommend/index.ts";
import { speedMessage, summaryMessage, throughputMessage } from "../inventory/model-messages.ts";

/** The answer to a need as a tier sees it. Free sees no alternatives, and only the download size of the sizing. */
export function answerMessage(answer: Answer, tier: Tier): RecommendResponse {
  const isWhole = tier !== "free";
  return create(RecommendResponseSchema, {
    results: answer.results.map(({ model, score, reasons, tradeoffs, alternatives, sizing }) => ({
      // The size of any other variant would mislead, so the size is absent if that of the recommended one is unknown.
      model: sizing === undefined ? summaryMessage(model) : { ...summaryMessage(model), sizeGb: sizing.variant.sizeGb },
      score: rounded(score, 4),
      reasons,
      tradeoffs,
      alternatives: isWhole ? alternatives : [],
      sizing: sizing && (isWhole ? sizingMessage(sizing) : downloadMessage(sizing)),
    })),
    queryTimeMs: Math.round(answer.queryTimeMs),
    modelsSearched: answer.modelsSearched,
    modelsAfterFilter: answer.modelsAfterFilter,
    understood: {
      tasks: answer.understood.tasks.map(({ task, taskType, confidence, source }) => ({
        task,
        taskType,
        confidence: rounded(confidence, 4),
        source,
      })),
      wishes: answer.understood.wishes.map((wish) => ({
        kind: wish.kind,
        value: wish.value,
        words: wish.words,
        hardwareClass: wish.kind === "hardware" ? wish.hardwareClass : undefined,
        source: wish.source,
      })),
    },
  });
}

type Sizing = NonNullable<Recommendation["sizing"]>;

function sizingMessage({ variant, estimate, device }: Sizing): MessageInitShape<typeof SizingSchema> {
  return {
    quantization: variant.quantization,
    sizeGb: variant.sizeGb,
    memoryGb: rounded(estimate.memoryGb, 3),
    hardware: device.name,
    fit: estimate.fit,
    tokensPerSecond: speedMessage(estimate.tokensPerSecond),
    unpublished: variant.unpublished,
    throughput: throughputMessage(estimate.throughput),
  };
}

function downloadMessage({ variant: { sizeGb } }: Sizing): MessageInitShape<typeof SizingSchema> | undefined {
  return sizeGb === undefined ? undefined : { sizeGb };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
