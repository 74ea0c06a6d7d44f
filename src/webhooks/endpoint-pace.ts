/** Attempts at a time to one endpoint that takes what it gets. */
const MOST = 8;

/**
 * How many attempts each endpoint gets at a time: one at first, twice as many with each delivery, one again with each
 * failure. An endpoint that turns out to be dead so holds up one attempt.
 */
export class EndpointPace {
  /** Those that get more than one. */
  readonly #known = new Map<string, number>();

  of(webhookId: string): number {
    return this.#known.get(webhookId) ?? 1;
  }

  note(webhookId: string, isDelivered: boolean): void {
    if (isDelivered) this.#known.set(webhookId, Math.min(MOST, this.of(webhookId) * 2));
    else this.#known.delete(webhookId);
  }
}
