import { create, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { type InterestSchema, RecommendRequestSchema } from "../../../src/client.ts";
import type { NeedDraft, Violation } from "./need-draft.ts";

/**
 * Converts a need to a request. The service checks the values; this refuses only texts that a message cannot hold: those
 * that are not a number, or not a whole number.
 */
export function readNeed(
  draft: NeedDraft,
): { request: MessageShape<typeof RecommendRequestSchema> } | { violations: Violation[] } {
  const violations: Violation[] = [];
  const number = (
    field: "max_size_gb" | "min_context_length" | "top_k",
    isRight: (n: number) => boolean,
    what: string,
  ) => {
    const text = draft[field].trim();
    if (text === "") {
      return undefined;
    }
    const value = Number(text);
    if (isRight(value)) {
      return value;
    }
    violations.push({ field, description: `is ${JSON.stringify(text.slice(0, 40))}; must be ${what}` });
    return undefined;
  };
  const isInt32 = (n: number) => Number.isInteger(n) && Math.abs(n) < 2 ** 31;
  const request = create(RecommendRequestSchema, {
    description: draft.description,
    taskType: draft.task_type || undefined,
    maxSizeGb: number("max_size_gb", Number.isFinite, "a number of gigabytes"),
    hardware: draft.hardware || undefined,
    license: draft.license.trim() || undefined,
    topK: number("top_k", isInt32, "a whole number from 1 to 50"),
    languages: draft.languages.split(/[\s,]+/).filter(Boolean),
    minContextLength: number("min_context_length", isInt32, "a whole number of tokens"),
    ignore: [...draft.ignore],
    priority: draft.priority || undefined,
  });
  return violations.length > 0 ? { violations } : { request };
}

/** Most characters of a name that the service accepts. */
const MAX_NAME = 100;

/** Converts a need to an interest, named after its first words. */
export function interestRequest(
  need: NeedDraft,
): { interest: MessageInitShape<typeof InterestSchema> } | { violations: Violation[] } {
  const read = readNeed(need);
  if ("violations" in read) {
    return read;
  }
  const { description, taskType, maxSizeGb, hardware, license, languages, minContextLength, ignore, priority } =
    read.request;
  const name = shortened(description.trim().replaceAll(/\s+/g, " "));
  return {
    interest: {
      name,
      description,
      taskType,
      maxSizeGb,
      hardware,
      license,
      languages,
      minContextLength,
      ignore,
      priority,
    },
  };
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_NAME ? text : `${characters.slice(0, MAX_NAME - 1).join("")}…`;
}
