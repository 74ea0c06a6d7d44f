import { Code, ConnectError } from "@connectrpc/connect";
import { errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BadRequestSchema, ErrorInfoSchema } from "../../../gen/google/rpc/error_details_pb.ts";
import { checkLimits } from "../../../packages/connect-transcoding/src/check-limits.ts";
import { boundError } from "../../../packages/connect-transcoding/src/errors/bound-error.ts";
import { errorDetails } from "../../../packages/connect-transcoding/src/errors/format.ts";
import {
  boundViolations,
  type FieldViolation,
} from "../../../packages/connect-transcoding/src/validation/field-violation.ts";
import { violationsError } from "../../../packages/connect-transcoding/src/validation/problems.ts";

const violations = (count: number, field: string, description: string): FieldViolation[] =>
  Array.from({ length: count }, (_, i) => ({ field: `${field}${i}`, description }));

/** Bytes of an error in each protocol's form. */
function sizes(error: ConnectError): Record<string, number> {
  // Half a surrogate pair cannot be percent-encoded.
  const plain = new ConnectError(error.rawMessage.toWellFormed(), error.code);
  plain.details = error.details;
  const trailer = setTrailerStatus(new Headers(), plain);
  return {
    rest: Buffer.byteLength(JSON.stringify({ message: error.rawMessage, details: errorDetails(error, undefined) })),
    connect: errorToJsonBytes(error, undefined).byteLength,
    grpc: (trailer.get("grpc-message") ?? "").length + (trailer.get("grpc-status-details-bin") ?? "").length,
  };
}

function expectBounded(error: ConnectError): void {
  expect(Math.max(...Object.values(sizes(error)))).toBeLessThanOrEqual(checkLimits.errorBytes);
}

/** Texts that take more bytes than others in some form. */
const texts = ["x", "漢", "🦜", "\u0000", '"', "\\", "é", "\uD800", "%", "a.b[0]", " "];

describe("boundViolations", () => {
  it("lists a few as they are", () => {
    const few = violations(4, "field", "is wrong");
    expect(boundViolations(few)).toEqual({
      message: "field0: is wrong; field1: is wrong; field2: is wrong; and 1 more",
      fieldViolations: few,
    });
  });

  it("lists the first thirty of many, and counts the rest", () => {
    const bounded = boundViolations(violations(99, "field", "is wrong"));
    expect(bounded.fieldViolations).toHaveLength(30);
    expect(bounded.message).toMatch(/; and 96 more, of which the details list the first 30 in all$/);
    expect(boundViolations(violations(100, "field", "is wrong")).message).toMatch(/; and at least 97 more, /);
  });

  it("leaves out the middle of long texts", () => {
    const { fieldViolations } = boundViolations([
      { field: `start${".a".repeat(1_000)}.end`, description: `starts ${"x".repeat(1_000)} and ends` },
    ]);
    const [{ field, description }] = fieldViolations as [FieldViolation];
    expect(field).toMatch(/^start(?:\.a)+\.?….*\.end$/);
    expect(description).toMatch(/^starts x+…x+ and ends$/);
    expect([field.length, description.length]).toEqual([200, 200]);
  });

  it.each(texts)("keeps errors small, of %j", (text) => {
    for (const length of [1, 20, 60, 200, 1_000]) {
      const many = violations(300, text.repeat(length), text.repeat(length));
      const problems = many.map(({ field }) => ({ location: "body", field, kind: "unknown" }) as const);
      expectBounded(violationsError(problems, () => text.repeat(length), many));
      expect(boundViolations(many).fieldViolations.length).toBeGreaterThan(0);
    }
  });
});

describe("boundError", () => {
  it("returns small errors as they are", () => {
    const error = new ConnectError("no", Code.NotFound, undefined, [
      { desc: ErrorInfoSchema, value: { reason: "NO", domain: "test", metadata: { name: "x" } } },
    ]);
    expect(boundError(error)).toBe(error);
  });

  it("keeps any error small, with its code, its headers and the details that fit", () => {
    const upTo = (max: number) =>
      fc.tuple(fc.constantFrom(...texts), fc.integer({ min: 0, max })).map(([text, count]) => text.repeat(count));
    const long = upTo(30_000);
    // Shorter, because there are up to fifty of them.
    fc.assert(
      fc.property(long, upTo(3_000), long, fc.integer({ min: 0, max: 50 }), (message, field, extra, count) => {
        const error = new ConnectError(message, Code.InvalidArgument, { "retry-after": "1" }, [
          { desc: ErrorInfoSchema, value: { reason: "NO", domain: "test" } },
          { desc: BadRequestSchema, value: { fieldViolations: violations(count, field.toWellFormed(), "is wrong") } },
          { desc: ErrorInfoSchema, value: { reason: extra.toWellFormed(), domain: "test" } },
        ]);
        const bounded = boundError(error);
        expectBounded(bounded);
        expect(bounded.code).toBe(Code.InvalidArgument);
        expect(bounded.metadata.get("retry-after")).toBe("1");
        expect(bounded.findDetails(ErrorInfoSchema)[0]?.reason).toBe("NO");
        expect(bounded.findDetails(BadRequestSchema)).toHaveLength(1);
      }),
      { numRuns: 40 },
    );
  });
});
