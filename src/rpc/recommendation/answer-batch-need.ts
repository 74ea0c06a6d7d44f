import { create, fromJson, type JsonValue, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type BatchRecommendAnswer,
  BatchRecommendAnswerSchema,
  type RecommendRequest,
  RecommendRequestSchema,
} from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { backgroundTier } from "../../access/caller.ts";
import type { Access } from "../../access/index.ts";
import type { BatchRunnerOptions } from "../../batches/index.ts";
import { invalidRequest, ServiceError } from "../../error.ts";
import type { Inventory } from "../../inventory/index.ts";
import { recommend } from "../../recommend/index.ts";
import { callerError, statusMessage } from "../call/errors.ts";
import type { Ready } from "../call/ready.ts";
import { within } from "../call/value-check.ts";
import type { LogFailure } from "../interceptors/call-interceptors.ts";
import { answerMessage } from "./answer-message.ts";
import { checkNeed, validateNeed } from "./need.ts";

/** Recommends for a valid need of a batch, in this process or in another one. @returns the packed answer. */
export type RecommendPacked = (need: unknown, signal: AbortSignal) => Promise<string>;

/**
 * Recommends for a valid need of a batch.
 *
 * @param need the JSON form of a RecommendRequest.
 * @returns the answer in the form that batchResultMessage reads.
 */
export async function recommendPacked(inventory: Inventory, need: unknown, signal?: AbortSignal): Promise<string> {
  const value = answerMessage(await recommend(inventory, validateNeed(requestOf(need)), { signal }), backgroundTier);
  return packed(create(BatchRecommendAnswerSchema, { answer: { case: "response", value } }));
}

/** Dependencies of answerBatchNeed(). */
export interface AnswerBatchNeedOptions {
  recommendFor: RecommendPacked;
  quota: Pick<Ready<Pick<Access, "reserve">>, "get">;
  /** Gets failures that customers do not see in full. The request id is the batch's id and the need's place. */
  logFailure: LogFailure;
}

/**
 * Answers needs of batches as BatchRecommend does: each uses a unit, and each that cannot be answered gets its own
 * error. It throws if the need can be answered later, for example because the inventory is not open yet.
 */
export function answerBatchNeed({
  recommendFor,
  quota,
  logFailure,
}: AnswerBatchNeedOptions): BatchRunnerOptions["answer"] {
  return async ({ need, place, batchId, ownerId }, signal) => {
    try {
      const checked = checkNeed(requestOf(need));
      if ("violations" in checked) {
        throw invalidRequest(within(`requests[${place}].`, checked.violations));
      }
      const reservation = await quota.get().reserve({ tier: backgroundTier, subject: `owner:${ownerId}`, ownerId }, 1);
      try {
        return { answer: await recommendFor(need, signal), isError: false };
      } catch (error) {
        // A need that is answered later is counted then. The unit may stay counted: for Pro it is for information.
        if (isForLater(error, signal)) {
          await reservation.giveBack().catch(() => {});
        }
        throw error;
      }
    } catch (error) {
      if (isForLater(error, signal)) {
        throw error;
      }
      const requestId = `${batchId}.${place}`;
      const sent = callerError(error, requestId);
      if (sent.code === Code.Internal) {
        logFailure({ requestId, method: "batches", error });
      }
      const answer = create(BatchRecommendAnswerSchema, { answer: { case: "error", value: statusMessage(sent) } });
      return { answer: packed(answer), isError: true };
    }
  };
}

/** Whether to try a need again later: the service is stopping, or something that it needs does not answer. */
function isForLater(error: unknown, signal: AbortSignal): boolean {
  const isOurs = error instanceof ServiceError || error instanceof ConnectError;
  return signal.aborted || (isOurs && error.code === Code.Unavailable);
}

function requestOf(need: unknown): RecommendRequest {
  return fromJson(RecommendRequestSchema, need as JsonValue, { ignoreUnknownFields: true });
}

/** The form that batchResultMessage reads. It has a third of the size of JSON. */
function packed(answer: BatchRecommendAnswer): string {
  return Buffer.from(toBinary(BatchRecommendAnswerSchema, answer)).toString("base64");
}
