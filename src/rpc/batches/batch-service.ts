import { create, fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  type BatchResult,
  BatchResultSchema,
  type BatchSchema,
  type BatchService,
  type StreamBatchResultsResponseSchema,
} from "../../../gen/modelscout/v1/batch_pb.ts";
import { BatchRecommendAnswerSchema } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { type Batch, batchStates } from "../../batches/batch.ts";
import type { Batches, PlacedAnswer } from "../../batches/index.ts";
import { type FieldViolation, invalidRequest } from "../../error.ts";
import type { Signals } from "../../store/index.ts";
import { callerOf, ownerOf } from "../call/call.ts";
import { rowPageOf, rowPageToken } from "../call/page.ts";
import type { Ready } from "../call/ready.ts";
import { followStream, type StreamEvent, type StreamPlaces } from "../call/streams.ts";
import { requiredId } from "../call/value-check.ts";
import { checkBatch } from "./check-batch.ts";

/** Dependencies of the batch service. */
interface BatchServiceOptions {
  batches: Pick<Ready<Batches>, "get">;
  /** The signals of the opened state. */
  signals: () => Signals;
  streams: StreamPlaces;
  /** Aborts when the service shuts down. */
  shutdownSignal: AbortSignal;
}

/** Answers that are read at a time. */
const READ_SIZE = 50;
/** Clients of gRPC accept messages of 4 MB. A stored answer is in base64, so its message is a fourth smaller. */
const PAGE_CHARS = 3_000_000;

/** Answers BatchService for the owner of the caller's key. Resources of other owners are not found. */
export function batchService({
  batches,
  signals,
  streams,
  shutdownSignal,
}: BatchServiceOptions): ServiceImpl<typeof BatchService> {
  return {
    async createBatch(request, { values, signal }) {
      const ready = batches.get();
      const checked = await checkBatch(request, signal);
      return batchMessage(await ready.create({ ownerId: ownerOf(values), ...checked }));
    },

    async listBatches({ state, pageSize, pageToken }, { values }) {
      const known = batchStates.find((each) => each === state);
      const scope = `batches ${JSON.stringify([state])}`;
      const page = rowPageOf(scope, { pageSize, pageToken }, stateViolations(state));
      const { items, next } = await batches.get().list(page, { ownerId: ownerOf(values), state: known });
      return { batches: items.map(batchMessage), nextPageToken: rowPageToken(scope, next) };
    },

    async getBatch({ id }, { values }) {
      return batchMessage(await batches.get().get(requiredId(id, "id"), ownerOf(values)));
    },

    async cancelBatch({ id }, { values }) {
      return batchMessage(await batches.get().cancel(requiredId(id, "id"), ownerOf(values)));
    },

    async listBatchResults({ batchId, pageSize, pageToken }, { values }) {
      const ready = batches.get();
      const { id } = await ready.get(requiredId(batchId, "batch_id"), ownerOf(values));
      const scope = `results ${id}`;
      const { size, after } = rowPageOf(scope, { pageSize, pageToken });
      const found = await readAnswers(ready, id, after === undefined ? 0 : after.at + 1, size);
      const [last] = found.answers.slice(-1);
      const next = found.hasMore && last !== undefined ? { at: last.place, id: "answer" } : undefined;
      return { results: found.answers.map(batchResultMessage), nextPageToken: rowPageToken(scope, next) };
    },

    async *streamBatchResults({ batchId, after }, { values, signal }) {
      const ready = batches.get();
      const caller = callerOf(values);
      const ownerId = ownerOf(values);
      const { id, total } = await ready.get(requiredId(batchId, "batch_id"), ownerId);
      const from = readCursor(after, total);
      const leave = streams.take(ownerId);
      let ended: Batch | undefined;
      const read = async (cursor: string) => {
        // The batch is read before its answers, because a batch that has ended gets no more answers.
        const batch = await ready.get(id, ownerId);
        const answers = await ready.results(id, Number(cursor), READ_SIZE);
        if (answers.length === 0 && batch.endedAt !== undefined) {
          ended = batch;
        }
        if (ended !== undefined) {
          return undefined;
        }
        return answers.map((value) => ({ cursor: String(value.place + 1), value }));
      };
      try {
        const isValid = () => caller.isValid();
        const following = { after: String(from), read, topic: "batches", isValid, signal, shutdownSignal } as const;
        let cursor = String(from);
        for await (const event of followStream({ ...following, signals: signals() })) {
          cursor = event.value.cursor;
          yield streamMessage(event);
        }
        if (ended !== undefined) {
          yield { event: { case: "end", value: { cursor, batch: batchMessage(ended) } } };
        }
      } finally {
        leave();
      }
    },
  };
}

function streamMessage(event: StreamEvent<PlacedAnswer>): MessageInitShape<typeof StreamBatchResultsResponseSchema> {
  if (event.case !== "item") {
    return { event };
  }
  const { cursor, value } = event.value;
  return { event: { case: "result", value: { cursor, result: batchResultMessage(value) } } };
}

/** Reads a page of answers, a shorter one if they are long. */
async function readAnswers(
  batches: Batches,
  id: string,
  from: number,
  size: number,
): Promise<{ answers: PlacedAnswer[]; hasMore: boolean }> {
  const answers: PlacedAnswer[] = [];
  let chars = 0;
  for (;;) {
    // One more than the page, to know whether there is a next page.
    const asked = Math.min(READ_SIZE, size - answers.length + 1);
    const found = await batches.results(id, from + answers.length, asked);
    for (const each of found) {
      chars += each.answer.length;
      if (answers.length === size || (answers.length > 0 && chars > PAGE_CHARS)) {
        return { answers, hasMore: true };
      }
      answers.push(each);
    }
    if (found.length < asked) {
      return { answers, hasMore: false };
    }
  }
}

/** A cursor is the number of answers sent so far. */
function readCursor(after: string | undefined, total: number): number {
  if (after === undefined || after === "") {
    return 0;
  }
  if (/^\d{1,9}$/.test(after) && Number(after) <= total) {
    return Number(after);
  }
  throw invalidRequest([{ field: "after", description: "is not a cursor of this batch's stream" }]);
}

function stateViolations(state: string | undefined): FieldViolation[] {
  if (state === undefined || (batchStates as readonly string[]).includes(state)) {
    return [];
  }
  const description = `is ${JSON.stringify(state.slice(0, 60))}; must be one of ${batchStates.join(", ")}`;
  return [{ field: "state", description }];
}

/** The progress of a batch, without its needs. */
function batchMessage(batch: Batch): MessageInitShape<typeof BatchSchema> {
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
