/** The body that receivers get, as the Standard Webhooks specification forms it. @param at milliseconds since 1970. */
export function eventBody({ type, at, data }: { type: string; at: number; data: object }): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
}
