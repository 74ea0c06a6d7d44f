import { setImmediate } from "node:timers/promises";
import { type DescMessage, toJsonString } from "@bufbuild/protobuf";
import { BatchSchema, type CreateBatchRequest, CreateBatchRequestSchema } from "../../../gen/modelscout/v1/batch_pb.ts";
import { BatchRecommendRequestSchema, RecommendRequestSchema } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { checkLimits } from "../../../packages/connect-transcoding/src/index.ts";
import { type FieldViolation, invalidRequest } from "../../error.ts";
import { toConnectError } from "../call/errors.ts";
import { maxItems } from "../call/text-limits.ts";
import { requestIdViolations, within } from "../call/value-check.ts";
import { checkNeed, needLimits } from "../recommendation/need.ts";

/** The checked values of a new batch. */
export interface CheckedBatch {
  name: string | undefined;
  /** The needs, each as a JSON text. */
  needs: string[];
  requestId: string | undefined;
}

/** How long the check holds the event loop at a time. */
const SLICE_MS = 10;
/** The last violation of an error is the number of needs that are not listed. */
const MOST_LISTED = checkLimits.violationsListed - 1;

/**
 * Checks a new batch, some needs at a time.
 *
 * @throws ServiceError INVALID_REQUEST with the first violations, and the number of further needs that are invalid.
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
    const checked = checkNeed(request);
    if ("need" in checked) {
      if (violations.length === 0) {
        needs.push(toJsonString(RecommendRequestSchema, request));
      }
    } else if (violations.length < MOST_LISTED) {
      violations.push(...within(`batch.requests[${i}].`, checked.violations));
    } else {
      more += 1;
    }
  }
  if (more > 0) {
    violations.splice(MOST_LISTED, violations.length, {
      field: "batch.requests",
      description: `has ${more} more invalid needs`,
    });
  }
  if (violations.length > 0) {
    throw invalidRequest(violations);
  }
  return { name, needs, requestId: requestId === "" ? undefined : requestId };
}

function nameViolations(name: string | undefined): FieldViolation[] {
  if (name === undefined || /^\P{Cc}+$/u.test(name)) {
    return [];
  }
  return [{ field: "batch.name", description: "must have at least 1 character, and no control character" }];
}

function countViolations(count: number): FieldViolation[] {
  if (count > 0) {
    return [];
  }
  return [{ field: "batch.requests", description: `is required: 1 to ${needLimits.backgroundNeeds} needs` }];
}

/** How much a message holds. */
interface MessageSize {
  /** Fields with one value and entries of lists, also those of the messages inside. */
  values: number;
  /** The message, its lists and the messages inside. */
  groups: number;
}

/** The largest valid message of a type. @throws Error if a list declares no limit. */
function largestMessage({ fields }: DescMessage): MessageSize {
  const size = { values: 0, groups: 1 };
  for (const field of fields) {
    const isList = field.fieldKind === "list";
    const entries = isList ? maxItems(field) : 1;
    const inner = field.message === undefined ? { values: 0, groups: 0 } : largestMessage(field.message);
    size.values += entries * (1 + inner.values);
    size.groups += entries * inner.groups + (isList ? 1 : 0);
  }
  return size;
}

const largestNeed = largestMessage(RecommendRequestSchema);
/** Further values and groups that are let through, so that a batch slightly too large still gets exact errors. */
const SPARE = 1_000;

/** What the body of a batch may hold. */
interface BatchSize {
  needs: number;
  /** The fields that lead to a need, from the outermost message on. */
  path: readonly number[];
}

/** Values of the largest valid batch, with each need as a value, and some more. */
const mostValues = ({ needs }: BatchSize) => needs * (1 + largestNeed.values) + SPARE;
/** Objects and lists of the largest valid batch, and some more. */
const mostGroups = ({ needs }: BatchSize) => needs * largestNeed.groups + SPARE;

/** For calls of BatchRecommend. */
export const batchCallSize: BatchSize = {
  needs: needLimits.batchNeeds,
  path: [BatchRecommendRequestSchema.field.requests.number],
};
/** For batches in the background. */
export const backgroundBatchSize: BatchSize = {
  needs: needLimits.backgroundNeeds,
  path: [CreateBatchRequestSchema.field.batch.number, BatchSchema.field.requests.number],
};

/**
 * Refuses the body of a batch that is far too large, before it is decoded: ten million needs of two bytes each would
 * take gigabytes and most of a minute. The decoder reports malformed bodies.
 *
 * @throws ConnectError INVALID_REQUEST
 */
export function checkBatchBody(size: BatchSize, bytes: Uint8Array, codec: "json" | "proto"): void {
  if (codec === "json" ? fitsJson(size, bytes) : fitsProto(size, bytes)) {
    return;
  }
  const description = `has far more entries than allowed: there may be at most ${size.needs} needs, and their lists have limits too`;
  throw toConnectError(invalidRequest([{ field: "requests", description }]));
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

function fitsJson(size: BatchSize, bytes: Uint8Array): boolean {
  const [mostOfGroups, mostOfValues] = [mostGroups(size), mostValues(size)];
  let groups = 0;
  let values = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      i = stringEnd(bytes, i);
      if (i < 0) {
        return true;
      }
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++groups > mostOfGroups) {
        return false;
      }
    } else if (byte === COMMA && ++values > mostOfValues) {
      return false;
    }
  }
  return true;
}

/** The place of the quote that ends a string; -1 if there is none. */
function stringEnd(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === BACKSLASH) {
      backslashes += 1;
    }
    if (backslashes % 2 === 0) {
      return end;
    }
  }
  return -1;
}

const LENGTH_DELIMITED = 2;

function fitsProto(size: BatchSize, bytes: Uint8Array): boolean {
  // Twice the limit, so that a batch with a few needs too many gets an error with their number.
  const left = { path: size.path, needs: 2 * size.needs, values: mostValues(size) };
  return walk(bytes, 0, bytes.length, 0, left);
}

/** Counts the fields of a message, and those of the needs inside. @returns false if there are too many. */
function walk(
  bytes: Uint8Array,
  start: number,
  end: number,
  depth: number,
  left: { readonly path: readonly number[]; needs: number; values: number },
): boolean {
  for (let at = start; at < end; ) {
    if (--left.values < 0) {
      return false;
    }
    const tag = varint(bytes, at);
    at = tag.next;
    const wireType = tag.value % 8;
    if (wireType === 0) {
      at = varint(bytes, at).next;
    } else if (wireType === 1) {
      at += 8;
    } else if (wireType === 5) {
      at += 4;
    } else if (wireType === LENGTH_DELIMITED) {
      const length = varint(bytes, at);
      const inner = Math.min(end, length.next + length.value);
      if (Math.floor(tag.value / 8) === left.path[depth]) {
        if (depth === left.path.length - 1 && --left.needs < 0) {
          return false;
        }
        if (!walk(bytes, length.next, inner, depth + 1, left)) {
          return false;
        }
      }
      at = inner;
    }
    // Groups begin and end with a tag alone; their fields are counted as those of the message.
  }
  return true;
}

/** A variable-length number of seven bits a byte, and the place after it. */
function varint(bytes: Uint8Array, start: number): { value: number; next: number } {
  let value = 0;
  for (let i = 0; i < 10; i++) {
    const byte = bytes[start + i] ?? 0;
    value += (byte % 128) * 128 ** i;
    if (byte < 128) {
      return { value, next: start + i + 1 };
    }
  }
  return { value, next: start + 10 };
}
