/** The headers of every answer, in every protocol. Browsers must not take an answer for another type than it names. */
export function commonHeaders(requestId: string): Record<string, string> {
  return { "x-request-id": requestId, "x-content-type-options": "nosniff" };
}
