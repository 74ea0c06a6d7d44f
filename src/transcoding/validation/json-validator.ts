import type { DescField, DescMessage, JsonValue } from "@bufbuild/protobuf";
import { JsonChecks, nullIsValue } from "./json-checks.ts";
import { type FieldProblem, ProblemLog } from "./problems.ts";

/** Options of createJsonValidator(). */
export interface JsonValidatorOptions {
  /**
   * How to treat unknown fields and unknown enum names: "reject" (the default), or "ignore", which removes them.
   */
  readonly unknownFields?: "reject" | "ignore" | undefined;
  /** Whether the strings "NaN", "Infinity" and "-Infinity" are refused for float and double. Default: false. */
  readonly finiteNumbersOnly?: boolean | undefined;
}

/** Checks one JSON value and returns all its problems, at most 100. Without any, `value` is valid. */
export type JsonValidator = (json: unknown) => {
  /** The value in the spelling that fromJson() of protobuf-es takes; objects and lists are changed in place. */
  readonly value: JsonValue | undefined;
  readonly problems: readonly FieldProblem[];
};

/**
 * Compiles a validator for the ProtoJSON form of a message, or of the value of one field. It is stricter than
 * fromJson() (numbers in strings must be decimal, times and durations exact), more lenient in one point (field masks
 * may be in snake_case), and reports all problems at once. Integers that JSON.parse() would round may be given as
 * bigint. For a field, null is valid: it leaves the field unset.
 */
export function createJsonValidator(
  target: DescMessage | DescField,
  options: JsonValidatorOptions = {},
): JsonValidator {
  const checks = new JsonChecks(options.unknownFields === "ignore", options.finiteNumbersOnly ?? false);
  const check = target.kind === "message" ? checks.message(target) : checks.field(target);
  const root = target.kind === "message" ? undefined : target.name;
  const takesNull = target.kind === "field" && nullIsValue(target);
  return (json) => {
    if (json === null && root !== undefined && !takesNull) {
      return { value: null, problems: [] };
    }
    const log = new ProblemLog("body", scalarRoot(json) ? root : undefined);
    return { value: check(json, log), problems: log.problems };
  };
}

/** Paths start inside the object or list that was sent. A single value can only be named by its field. */
function scalarRoot(json: unknown): boolean {
  return typeof json !== "object" || json === null;
}
