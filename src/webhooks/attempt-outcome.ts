/** How an attempt to deliver an event went. */
export const attemptOutcomes = [
  "delivered",
  "http-error",
  "timeout",
  "dns-error",
  "connection-error",
  "tls-error",
  "address-refused",
  "redirect",
  "response-too-large",
] as const;

export type AttemptOutcome = (typeof attemptOutcomes)[number];
