import type { Header, Reference } from "../../openapi/index.ts";

/** The headers of answers, by name. */
export const answerHeaders: Readonly<Record<string, Header>> = {
  "x-request-id": {
    description:
      "The request's id: the caller's own where it is 1 to 128 of `A-Za-z0-9._-`, without a key in it, else a new one.",
    required: true,
    schema: { type: "string" },
    example: "0b7e2c1e-5d0c-4a3e-9d3e-0f6f5a1c7f10",
  },
  RateLimit: {
    description: "What is left of the limits (`r`) and the seconds until they are full again (`t`).",
    schema: { type: "string" },
    example: '"daily";r=9;t=46800',
  },
  "RateLimit-Policy": {
    description: "The limits that the caller has: how many (`q`) in how many seconds (`w`).",
    schema: { type: "string" },
    example: '"daily";q=10;w=86400',
  },
  "Retry-After": {
    description: "How many seconds to wait before another try.",
    schema: { type: "string", pattern: "^[0-9]+$" },
    example: "46800",
  },
  Vary: {
    description: "What the answer depends on beside the URL.",
    schema: { type: "string" },
    example: "X-API-Key",
  },
  "Cache-Control": {
    description: "`no-store` where the answer is counted or is the caller's own.",
    schema: { type: "string" },
    example: "no-store",
  },
  "WWW-Authenticate": { description: "How to send a key.", schema: { type: "string" } },
  ETag: { description: "Changes when the content does.", schema: { type: "string" } },
};

/** References to headers among the components. */
export function headerReferences(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
