import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  type BatchRecommendAnswer,
  BatchRecommendAnswerSchema,
  type RecommendationService,
} from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { invalidRequest } from "../../error.ts";
import type { Inventory } from "../../inventory/index.ts";
import { type Need, type ReadNeed, recommend } from "../../recommend/index.ts";
import { callerOf, callOf } from "../call/call.ts";
import { statusMessage } from "../call/errors.ts";
import type { Ready } from "../call/ready.ts";
import { within } from "../call/value-check.ts";
import { answerMessage } from "./answer-message.ts";
import { checkNeed, checkQuickNeed, needLimits, validateNeed } from "./need.ts";

/**
 * Answers RecommendationService: checks messages, calls the domain and forms the answers.
 *
 * @param read reads single needs. The built-in rules read the needs of a batch, and all needs if `read` is undefined.
 * Hundreds of needs would wait too long for a language model, and batches, interests and matches must not depend on
 * whether it answered.
 */
export function recommendationService(
  inventory: Pick<Ready<Inventory>, "get">,
  read?: ReadNeed,
): ServiceImpl<typeof RecommendationService> {
  const answer = async (ready: Inventory, need: Need, { values, signal }: HandlerContext, reader?: ReadNeed) => {
    const caller = callerOf(values);
    const { onStage } = callOf(values);
    await caller.takeUnit(signal);
    return answerMessage(await recommend(ready, need, { onStage, signal, read: reader }), caller.tier);
  };
  return {
    recommend(request, context) {
      const need = validateNeed(request);
      return answer(inventory.get(), need, context, read);
    },

    quickRecommend(request, context) {
      const checked = checkQuickNeed(request);
      if ("violations" in checked) {
        throw invalidRequest(checked.violations);
      }
      return answer(inventory.get(), checked.need, context, read);
    },

    async batchRecommend({ requests }, context) {
      if (requests.length === 0) {
        const description = `is required: 1 to ${needLimits.batchNeeds} needs`;
        throw invalidRequest([{ field: "requests", description }]);
      }
      // If the inventory is not ready, the whole batch must be sent again.
      const ready = inventory.get();
      const answers: BatchRecommendAnswer[] = [];
      // One after another: a batch must not crowd out the callers who wait for one answer.
      for (const [i, request] of requests.entries()) {
        context.signal.throwIfAborted();
        try {
          const checked = checkNeed(request);
          if ("violations" in checked) {
            throw invalidRequest(within(`requests[${i}].`, checked.violations));
          }
          const value = await answer(ready, checked.need, context);
          answers.push(create(BatchRecommendAnswerSchema, { answer: { case: "response", value } }));
        } catch (thrown) {
          const error = statusMessage(callOf(context.values).toCallerError(thrown));
          answers.push(create(BatchRecommendAnswerSchema, { answer: { case: "error", value: error } }));
        }
      }
      return { answers };
    },

    async getUsage(_request, { values }) {
      const { tier, used, remaining, resetMs } = await callerOf(values).usage();
      return { tier, used, remaining, reset: timestampFromMs(resetMs) };
    },
  };
}
