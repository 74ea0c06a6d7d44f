import { create } from "@bufbuild/protobuf";
import { type RecommendResponse, RecommendResponseSchema } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import type { Answer } from "../../recommend/index.ts";
import { speedMessage, summaryMessage } from "../inventory/model-messages.ts";

/** The whole answer to a need. */
export function answerMessage(answer: Answer): RecommendResponse {
  return create(RecommendResponseSchema, {
    results: answer.results.map(({ model, score, reasons, tradeoffs, alternatives, sizing }) => ({
      // The size of another variant than the recommended one would mislead, so an unknown one stays absent.
      model: sizing === undefined ? summaryMessage(model) : { ...summaryMessage(model), sizeGb: sizing.variant.sizeGb },
      score: rounded(score, 4),
      reasons,
      tradeoffs,
      alternatives,
      sizing: sizing && {
        quantization: sizing.variant.quantization,
        sizeGb: sizing.variant.sizeGb,
        memoryGb: rounded(sizing.estimate.memoryGb, 3),
        hardware: sizing.hardware,
        fit: sizing.estimate.fit,
        tokensPerSecond: speedMessage(sizing.estimate.tokensPerSecond),
      },
    })),
    queryTimeMs: rounded(answer.queryTimeMs, 3),
    modelsSearched: answer.modelsSearched,
    modelsAfterFilter: answer.modelsAfterFilter,
    understood: {
      tasks: answer.understood.tasks.map(({ task, taskType, confidence }) => ({
        task,
        taskType,
        confidence: rounded(confidence, 4),
      })),
      wishes: answer.understood.wishes.map(({ kind, value, words }) => ({ kind, value, words })),
    },
  });
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
