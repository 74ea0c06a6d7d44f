import type { RecommendRequest } from "../../gen/modelscout/v1/recommendation_pb.ts";
import type { NeedFields } from "./validate-need.ts";

/** The fields of a need in a message. */
export function needFields(request: Omit<RecommendRequest, "$typeName" | "$unknown">): NeedFields {
  return {
    description: request.description,
    task_type: request.taskType,
    max_size_gb: request.maxSizeGb,
    hardware: request.hardware,
    license: request.license,
    top_k: request.topK,
    languages: request.languages,
    min_context_length: request.minContextLength,
    ignore: request.ignore,
  };
}
