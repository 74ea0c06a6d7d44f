import type { RecommendResponse } from "../../gen/modelscout/v1/recommendation_pb.ts";
import type { Tier } from "../access/tier.ts";

/** Takes from an answer what a tier does not see: Free callers no alternatives, and of the sizing the download alone. */
export function trimAnswer(answer: RecommendResponse, tier: Tier): RecommendResponse {
  if (tier !== "free") return answer;
  for (const result of answer.results) {
    result.alternatives = [];
    const sizeGb = result.sizing?.sizeGb;
    result.sizing = sizeGb === undefined ? undefined : { $typeName: "modelscout.v1.Sizing", sizeGb };
  }
  return answer;
}
