import type { Interest as InterestMessage } from "../../gen/modelscout/v1/interest_pb.ts";
import type { InterestValues } from "../interests/interests.ts";
import type { InterestFields } from "./check-interest.ts";

/** The fields of an interest in a message. */
export function interestFields(message: InterestMessage): InterestFields {
  return {
    name: message.name,
    description: message.description,
    task_type: message.taskType,
    max_size_gb: message.maxSizeGb,
    hardware: message.hardware,
    license: message.license,
    languages: message.languages,
    min_context_length: message.minContextLength,
    ignore: message.ignore,
    min_score: message.minScore,
  };
}

/** The fields of an interest that is there. */
export function fieldsOf({ name, need, minScore }: InterestValues): InterestFields {
  const { description, filter, ignore } = need;
  return {
    name,
    description,
    task_type: filter.taskType,
    max_size_gb: filter.maxSizeGb,
    hardware: filter.hardware,
    license: filter.license,
    languages: filter.languages,
    min_context_length: filter.minContextLength,
    ignore,
    min_score: minScore,
  };
}
