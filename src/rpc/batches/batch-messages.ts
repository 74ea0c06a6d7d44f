import { create, fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type BatchResult, BatchResultSchema, type BatchSchema } from "../../../gen/modelscout/v1/batch_pb.ts";
import { BatchRecommendAnswerSchema } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import type { Batch } from "../../batches/batch.ts";
import type { PlacedAnswer } from "../../batches/index.ts";

/** The progress of a batch, without its needs. */
export function batchMessage(batch: Batch): MessageInitShape<typeof BatchSchema> {
  const { id, name, state, total, completed, failed, error, createdAt, startedAt, endedAt, resultsUntil } = batch;
  return {
    id,
    name,
    state,
    total,
    completed,
    failed,
    error,
    createdAt: timestampFromMs(createdAt),
    startedAt: optionalTime(startedAt),
    endedAt: optionalTime(endedAt),
    resultsUntil: optionalTime(resultsUntil),
  };
}

/** Reads an answer in the form that answerBatchNeed writes. */
export function batchResultMessage({ place, answer }: PlacedAnswer): BatchResult {
  const unpacked = fromBinary(BatchRecommendAnswerSchema, Buffer.from(answer, "base64"));
  return create(BatchResultSchema, { index: place, answer: unpacked.answer });
}

function optionalTime(ms: number | undefined) {
  return ms === undefined ? undefined : timestampFromMs(ms);
}
