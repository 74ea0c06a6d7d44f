import type { Delivery } from "../webhooks/delivery.ts";

/** A delivery's facts for programs, as WebhookService names them: times as RFC 3339, unknown ones left out. */
export function deliveryJson(delivery: Delivery & { owner?: string; url?: string }): object {
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    owner: delivery.owner,
    url: delivery.url,
    event_type: delivery.eventType,
    state: delivery.state,
    attempts: delivery.attempts.map((attempt) => ({
      at: time(attempt.at),
      outcome: attempt.outcome,
      status_code: attempt.statusCode,
      error: attempt.error,
      duration_ms: attempt.durationMs,
    })),
    attempt_count: delivery.attemptCount,
    next_attempt_at: time(delivery.nextAttemptAt),
    created_at: time(delivery.createdAt),
  };
}

function time(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
