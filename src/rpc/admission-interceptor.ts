import type { DescMethod } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import { RecommendationService } from "../../gen/modelscout/v1/recommendation_pb.ts";
import { WebhookService } from "../../gen/modelscout/v1/webhook_pb.ts";
import { Admission } from "./admission.ts";
import { methodAccess } from "./method-access.ts";

/** Long enough for a burst of a hundred callers on two cores, short enough that nobody has given up. */
const MAX_WAIT_MS = 1_000;
/** A batch takes seconds by itself: a few of them at once are not too many. */
const MAX_BATCH_WAIT_MS = 10_000;
/** More would not come in within that time, but by chance. */
const WAITING_PER_PLACE = 64;

/** Calls at a time that do next to nothing but wait for servers of others, for seconds where these are silent. */
const WAITING_ELSEWHERE = 64;
const { createWebhook, updateWebhook, testWebhook } = WebhookService.method;

/**
 * Bounds how many unary calls of the contract are worked on at a time, and refuses those that would wait for too long.
 * What monitors and operators ask is let through, and streams are: they wait most of the time.
 *
 * @param places calls at a time. Batches, which take as long as many calls, have a fourth of that beside it, and those that
 * wait for servers of others have places of their own.
 */
export function admissionInterceptor(places: number): Interceptor {
  const calls = admission(places, MAX_WAIT_MS);
  const batches = admission(Math.ceil(places / 4), MAX_BATCH_WAIT_MS);
  const elsewhere = admission(WAITING_ELSEWHERE, MAX_WAIT_MS);
  const placesOf = new Map<DescMethod, Admission>([
    [RecommendationService.method.batchRecommend, batches],
    ...[createWebhook, updateWebhook, testWebhook].map((method) => [method, elsewhere] as const),
  ]);
  return (next) => (req) => {
    const { isOpen, tier } = methodAccess(req.method);
    if (req.stream || isOpen || tier === "operator") return next(req);
    return (placesOf.get(req.method) ?? calls).run(() => next(req), req.signal);
  };
}

function admission(places: number, maxWaitMs: number): Admission {
  return new Admission({ places, mostWaiting: places * WAITING_PER_PLACE, maxWaitMs });
}
