import { create, fromJson, type JsonValue, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { InterestSchema, MatchSchema } from "../../../gen/modelscout/v1/interest_pb.ts";
import { ModelSummarySchema } from "../../../gen/modelscout/v1/model_pb.ts";
import { type Interest, type Match, writeCursor } from "../../interests/index.ts";
import type { Model } from "../../inventory/index.ts";
import { summaryMessage } from "../inventory/model-messages.ts";
import { interestFields } from "./interest-fields.ts";

export function interestMessage(interest: Interest): MessageInitShape<typeof InterestSchema> {
  const { id, createdAt, updatedAt } = interest;
  const { languages = [], ignore = [], capabilities = [], ...fields } = interestFields(interest);
  return {
    id,
    ...fields,
    languages: [...languages],
    ignore: [...ignore],
    capabilities: [...capabilities],
    createdAt: timestampFromMs(createdAt),
    updatedAt: timestampFromMs(updatedAt),
  };
}

export function matchMessage(match: Match): MessageInitShape<typeof MatchSchema> {
  const { id, ownerId, number, interestId, interestName, summary, score, reasons, tradeoffs, cause, matchedAt } = match;
  return {
    id,
    cursor: writeCursor(ownerId, number),
    interestId,
    interestName,
    // A row may have been written by a newer version.
    model: create(
      ModelSummarySchema,
      fromJson(ModelSummarySchema, summary as JsonValue, { ignoreUnknownFields: true }),
    ),
    score,
    reasons,
    tradeoffs,
    cause,
    matchedAt: timestampFromMs(matchedAt),
  };
}

/** A model's summary in the JSON form of REST, for rows and events. */
export function summaryJson(model: Model): object {
  return toJson(ModelSummarySchema, summaryMessage(model), {
    useProtoFieldName: true,
    alwaysEmitImplicit: true,
  }) as object;
}
