import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  CreateInterestRequestSchema,
  InterestSchema,
  type InterestService,
  type ListMatchesRequest,
  type PreviewInterestRequest,
  type WatchMatchesRequest,
  type WatchMatchesResponseSchema,
} from "../../../gen/modelscout/v1/interest_pb.ts";
import { type FieldViolation, invalidRequest } from "../../error.ts";
import {
  type Interests,
  type InterestValues,
  type Match,
  type Matches,
  preview,
  readCursor,
  writeCursor,
} from "../../interests/index.ts";
import type { Inventory } from "../../inventory/index.ts";
import type { Signals } from "../../store/index.ts";
import { callerOf, ownerOf } from "../call/call.ts";
import { changedFields, maskViolations } from "../call/field-mask.ts";
import { rowPageOf, rowPageToken } from "../call/page.ts";
import type { Ready } from "../call/ready.ts";
import { followStream, type StreamEvent, type StreamPlaces } from "../call/streams.ts";
import { requestClaim, requestIdViolations, requiredId } from "../call/value-check.ts";
import { answerMessage } from "../recommendation/answer-message.ts";
import { needLimits, topKViolations } from "../recommendation/need.ts";
import { interestFields, interestMessage, interestValues, matchMessage, withAnyName } from "./interest-messages.ts";

/** Dependencies of the interest service. */
export interface InterestServiceOptions {
  inventory: Pick<Ready<Inventory>, "get">;
  interests: Pick<Ready<Interests>, "get">;
  matches: Pick<Ready<Matches>, "get">;
  /** The signals of the opened state. */
  signals: () => Signals;
  streams: StreamPlaces;
  /** Aborts when the service shuts down. */
  shutdownSignal: AbortSignal;
}

/** Matches that are read at a time; a stream holds no more in memory. */
const READ_SIZE = 50;

/** Answers InterestService for the owner of the caller's key. Resources of other owners are not found. */
export function interestService({
  inventory,
  interests,
  matches,
  signals,
  streams,
  shutdownSignal,
}: InterestServiceOptions): ServiceImpl<typeof InterestService> {
  return {
    async createInterest(request, { values }) {
      const { interest, requestId } = request;
      const wrong = requestIdViolations(requestId);
      if (interest === undefined) {
        throw invalidRequest([{ field: "interest", description: "is required" }, ...wrong]);
      }
      const wanted = interestValues(interest, wrong);
      const claim = requestClaim(CreateInterestRequestSchema, request);
      return interestMessage(await interests.get().create(ownerOf(values), wanted, claim));
    },

    async listInterests({ pageSize, pageToken }, { values }) {
      const page = rowPageOf("interests", { pageSize, pageToken });
      const { items, next } = await interests.get().list(ownerOf(values), page);
      return { interests: items.map(interestMessage), nextPageToken: rowPageToken("interests", next) };
    },

    async getInterest({ id }, { values }) {
      return interestMessage(await interests.get().get(ownerOf(values), requiredId(id, "id")));
    },

    async updateInterest({ interest, updateMask }, { values }) {
      if (interest === undefined) {
        throw invalidRequest([{ field: "interest", description: "is required" }]);
      }
      const id = requiredId(interest.id, "interest.id");
      const { paths = [] } = updateMask ?? {};
      const unknown = maskViolations(InterestSchema, paths);
      if (unknown.length > 0) {
        throw invalidRequest(unknown);
      }
      const change = (now: InterestValues) => {
        const stored = interestFields(now);
        return interestValues({ ...stored, ...changedFields(InterestSchema, interest, paths, stored) });
      };
      return interestMessage(await interests.get().update(ownerOf(values), id, change));
    },

    async deleteInterest({ id }, { values }) {
      await interests.get().delete(ownerOf(values), requiredId(id, "id"));
      return {};
    },

    async previewInterest(request, { values, signal }) {
      const { topK = needLimits.defaultPreview } = request;
      const asked = previewed(request);
      const wanted = "id" in asked ? await interests.get().get(ownerOf(values), asked.id) : asked;
      const found = await preview(inventory.get(), wanted, { topK, signal });
      // The answer of a preview has no counts and no time.
      const counts = { modelsSearched: 0, modelsAfterFilter: 0, queryTimeMs: 0 };
      const { results, understood } = answerMessage({ ...found, ...counts }, callerOf(values).tier);
      return { results, understood };
    },

    async listMatches(request, { values }) {
      const { interestId, modelName, since, pageSize, pageToken } = request;
      const ownerId = ownerOf(values);
      const sinceMs = since === undefined ? undefined : timestampMs(since);
      const scope = `matches ${JSON.stringify([interestId, modelName?.toLowerCase(), sinceMs])}`;
      const page = rowPageOf(scope, { pageSize, pageToken }, matchFilterViolations(request));
      if (interestId !== undefined) {
        await interests.get().assertOwned(ownerId, [interestId]);
      }
      const filter = { interestId, modelKey: modelName?.toLowerCase(), since: sinceMs };
      const { items, next } = await matches.get().list(ownerId, page, filter);
      return { matches: items.map(matchMessage), nextPageToken: rowPageToken(scope, next) };
    },

    async *watchMatches(request, { values, signal }) {
      const caller = callerOf(values);
      const ownerId = ownerOf(values);
      const { interestIds } = request;
      const from = await beginning(request, ownerId, matches.get());
      await interests.get().assertOwned(ownerId, interestIds);
      const leave = streams.take(ownerId);
      const followed = matches.get().follow(ownerId);
      /** The last match read. It is later than the last one sent if matches of other interests were skipped. */
      let seen = from;
      const read = async () => {
        const { matches: found, until } = await followed.read(seen, interestIds, READ_SIZE);
        seen = until;
        return found.map((value) => ({ cursor: writeCursor(ownerId, value.number), value }));
      };
      try {
        const isValid = () => caller.isValid();
        const after = writeCursor(ownerId, from);
        const following = { after, read, topic: "matches", isValid, signal, shutdownSignal } as const;
        for await (const event of followStream({ ...following, signals: signals() })) {
          yield streamMessage(event);
        }
      } finally {
        followed.end();
        leave();
      }
    },
  };
}

/** The interest to preview: the id of a saved one, or the values of one that is not saved. */
function previewed({ of, topK }: PreviewInterestRequest): { id: string } | Omit<InterestValues, "name"> {
  const violations = topKViolations(topK);
  if (of.case === "interest") {
    return interestValues(withAnyName(of.value), violations);
  }
  if (of.value === undefined || of.value === "") {
    violations.push({ field: "id", description: "is required unless the request has an interest that is not saved" });
  }
  if (violations.length > 0) {
    throw invalidRequest(violations);
  }
  return { id: of.value as string };
}

/** The violations in the filters of a list of matches. */
function matchFilterViolations({ modelName, interestId }: ListMatchesRequest): FieldViolation[] {
  const violations: FieldViolation[] = [];
  if (interestId === "") {
    violations.push({ field: "interest_id", description: "must be the id of an interest" });
  }
  if (modelName !== undefined && !/^[^/]+\/[^/]+$/.test(modelName)) {
    violations.push({ field: "model_name", description: "must be a model's name: owner/model" });
  }
  return violations;
}

/** The number of the match after which a stream begins. @throws ServiceError INVALID_REQUEST with all violations. */
async function beginning(
  { after }: WatchMatchesRequest,
  ownerId: string,
  matches: Pick<Matches, "last">,
): Promise<number> {
  const violations: FieldViolation[] = [];
  const last = await matches.last(ownerId);
  const from = after === undefined || after === "" ? last : readCursor(ownerId, after);
  if (from === undefined || from > last) {
    const description =
      "is not a cursor of your matches; send 0 for all stored matches, or no cursor for new ones only";
    violations.push({ field: "after", description });
  }
  if (violations.length > 0) {
    throw invalidRequest(violations);
  }
  return from as number;
}

function streamMessage(event: StreamEvent<Match>): MessageInitShape<typeof WatchMatchesResponseSchema> {
  if (event.case !== "item") {
    return { event };
  }
  return { event: { case: "match", value: matchMessage(event.value.value) } };
}
