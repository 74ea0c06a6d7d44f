import { setImmediate } from "node:timers/promises";
import { toJsonString } from "@bufbuild/protobuf";
import type { CreateBatchRequest } from "../../gen/modelscout/v1/batch_pb.ts";
import { RecommendRequestSchema } from "../../gen/modelscout/v1/recommendation_pb.ts";
import { type FieldViolation, invalidRequest } from "../error.ts";
import { checkLimits } from "../transcoding/index.ts";
import { needFields } from "./need-fields.ts";
import { needLimits } from "./need-limits.ts";
import { requestIdViolations } from "./request-id-violations.ts";
import { checkNeed } from "./validate-need.ts";

/** A batch to be made, as it was found to be right. */
export interface CheckedBatch {
  name: string | undefined;
  /** JSON texts, a need each. */
  needs: string[];
  requestId: string | undefined;
}

/** Everybody else waits while needs are checked. */
const SLICE_MS = 10;
/** The last violation of an error is the count of the needs that it does not tell. */
const MOST_TOLD = checkLimits.violationsTold - 1;

/**
 * Checks a batch to be made, some needs at a time.
 *
 * @throws ServiceError INVALID_REQUEST with what is wrong: the first of many violations, and how many needs there are
 * beside them.
 */
export async function checkBatch({ batch, requestId }: CreateBatchRequest, signal: AbortSignal): Promise<CheckedBatch> {
  const { name, requests = [] } = batch ?? {};
  const violations = [...requestIdViolations(requestId), ...nameViolations(name), ...countViolations(requests.length)];
  const needs: string[] = [];
  let more = 0;
  let began = performance.now();
  for (const [i, request] of requests.entries()) {
    if (performance.now() - began > SLICE_MS) {
      await setImmediate();
      signal.throwIfAborted();
      began = performance.now();
    }
    const checked = checkNeed(needFields(request), (field) => `batch.requests[${i}].${field}`);
    if ("need" in checked) {
      if (violations.length === 0) needs.push(toJsonString(RecommendRequestSchema, request));
    } else if (violations.length < MOST_TOLD) violations.push(...checked.violations);
    else more += 1;
  }
  if (more > 0) {
    violations.splice(MOST_TOLD, violations.length, {
      field: "batch.requests",
      description: `has ${more} more needs that are wrong`,
    });
  }
  if (violations.length > 0) throw invalidRequest(violations);
  return { name, needs, requestId: requestId === "" ? undefined : requestId };
}

function nameViolations(name: string | undefined): FieldViolation[] {
  if (name === undefined || /^\P{Cc}+$/u.test(name)) return [];
  return [{ field: "batch.name", description: "must have at least 1 character, and no control character" }];
}

function countViolations(count: number): FieldViolation[] {
  if (count > 0) return [];
  return [{ field: "batch.requests", description: `is required: 1 to ${needLimits.backgroundNeeds} needs` }];
}
