import { create, fromJson, type JsonValue, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type Interest as InterestMessage,
  InterestSchema,
  InterestService,
  type MatchSchema,
  type PreviewInterestRequest,
} from "../../../gen/modelscout/v1/interest_pb.ts";
import { ModelSummarySchema } from "../../../gen/modelscout/v1/model_pb.ts";
import { type FieldViolation, invalidRequest } from "../../error.ts";
import {
  DEFAULT_MIN_SCORE,
  type Interest,
  type InterestValues,
  type Match,
  writeCursor,
} from "../../interests/index.ts";
import type { Model } from "../../inventory/index.ts";
import { changedFields, maskViolations } from "../call/field-mask.ts";
import { pageSizeViolations } from "../call/page.ts";
import { requestIdViolations, valueCheck, violationsOf, within } from "../call/value-check.ts";
import { summaryMessage } from "../inventory/model-messages.ts";
import { checkNeed, type NeedFields, topKViolations } from "../recommendation/need.ts";

export function interestMessage(interest: Interest): MessageInitShape<typeof InterestSchema> {
  const { id, createdAt, updatedAt } = interest;
  return {
    id,
    // The message is only written out, so it can share the lists, which are not to be changed.
    ...(interestFields(interest) as MessageInitShape<typeof InterestSchema>),
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

/** The fields of an interest, by their names in messages: those of a need, a name and a least score. */
export type InterestFields = Omit<NeedFields, "topK"> & Pick<InterestMessage, "name" | "minScore">;

/** Checks the fields of an interest. */
export function checkInterest(
  interest: InterestFields,
): { values: InterestValues } | { violations: readonly FieldViolation[] } {
  const name = interest.name.trim();
  const { minScore = DEFAULT_MIN_SCORE } = interest;
  const checked = checkNeed(interest);
  const violations = [...nameViolations(name), ...violationsOf(checked)];
  if (!(minScore >= 0 && minScore <= 1)) {
    violations.push({ field: "min_score", description: `is ${minScore}; must be from 0 to 1` });
  }
  if ("violations" in checked || violations.length > 0) {
    return { violations };
  }
  const { topK: _, ...need } = checked.need;
  return { values: { name, need, minScore } };
}

function nameViolations(name: string): FieldViolation[] {
  if (name === "") {
    return [{ field: "name", description: "is required: your own name for the interest" }];
  }
  return /\p{Cc}/u.test(name) ? [{ field: "name", description: "must have no control character" }] : [];
}

/** The values of a request's interest. @throws ServiceError INVALID_REQUEST with all violations and `others`. */
export function interestValues(interest: InterestFields, others: readonly FieldViolation[] = []): InterestValues {
  const checked = checkInterest(interest);
  const violations = [...within("interest.", violationsOf(checked)), ...others];
  if ("violations" in checked || violations.length > 0) {
    throw invalidRequest(violations);
  }
  return checked.values;
}

/** The values of an interest as the fields of a message. */
export function interestFields({ name, need, minScore }: InterestValues): InterestFields {
  const { filter, ...fields } = need;
  return { name, ...fields, ...filter, minScore };
}

/** The interest with a name, because one that is not saved may have none. */
export function withAnyName(interest: InterestMessage): InterestMessage {
  return { ...interest, name: interest.name || "preview" };
}

/** The violations in the changes of an interest, which keeps its other fields. */
function changeViolations(changes: Partial<InterestFields>): FieldViolation[] {
  return within("interest.", violationsOf(checkInterest({ name: "kept", description: "kept", ...changes })));
}

function previewViolations({ of, topK }: PreviewInterestRequest): FieldViolation[] {
  const checked = of.case === "interest" ? checkInterest(withAnyName(of.value)) : {};
  return [...within("interest.", violationsOf(checked)), ...topKViolations(topK)];
}

const { createInterest, updateInterest, previewInterest, listInterests, listMatches } = InterestService.method;

/** The checks of InterestService's requests in JSON, before the handler. */
export const interestChecks = [
  valueCheck(createInterest, ({ interest, requestId }) => {
    const violations = interest === undefined ? [] : violationsOf(checkInterest(interest));
    return [...within("interest.", violations), ...requestIdViolations(requestId)];
  }),
  valueCheck(updateInterest, ({ interest, updateMask: { paths } = { paths: [] } }) => {
    const violations = interest === undefined ? [] : changeViolations(changedFields(InterestSchema, interest, paths));
    return [...violations, ...maskViolations(InterestSchema, paths)];
  }),
  valueCheck(previewInterest, previewViolations),
  valueCheck(listInterests, ({ pageSize }) => pageSizeViolations(pageSize)),
  valueCheck(listMatches, ({ pageSize }) => pageSizeViolations(pageSize)),
];
