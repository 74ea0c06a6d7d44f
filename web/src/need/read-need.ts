import { create, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { type InterestSchema, RecommendRequestSchema } from "../../../packages/client/src/index.ts";
import type { Violation } from "../api/call-error.ts";
import { readMachine } from "../machine/machine.ts";
import { listOf, type NeedDraft } from "./need-draft.ts";

/**
 * Converts a need to a request. The service checks the values; this refuses only texts that a message cannot hold: those
 * that are not a number, or not a whole number.
 */
export function readNeed(
  draft: NeedDraft,
): { request: MessageShape<typeof RecommendRequestSchema> } | { violations: Violation[] } {
  const violations: Violation[] = [];
  const number = (
    field: "max_size_gb" | "min_context_length" | "top_k" | "min_tokens_per_second",
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
  const parameters = (field: "min_parameters" | "max_parameters") => {
    const text = draft[field].trim();
    const value = text === "" ? undefined : parameterCount(text);
    if (text !== "" && value === undefined) {
      const what = "a number of parameters, such as 7B or 500M";
      violations.push({ field, description: `is ${JSON.stringify(text.slice(0, 40))}; must be ${what}` });
    }
    return value;
  };
  const isInt32 = (n: number) => Number.isInteger(n) && Math.abs(n) < 2 ** 31;
  const request = create(RecommendRequestSchema, {
    description: draft.description,
    taskType: draft.task_type || undefined,
    maxSizeGb: number("max_size_gb", Number.isFinite, "a number of gigabytes"),
    hardware: draft.hardware || undefined,
    license: draft.license.trim() || undefined,
    topK: number("top_k", isInt32, "a whole number from 1 to 50"),
    languages: listOf(draft.languages),
    minContextLength: number("min_context_length", isInt32, "a whole number of tokens"),
    ignore: [...draft.ignore],
    priority: draft.priority || undefined,
    capabilities: listOf(draft.capabilities),
    minParameters: parameters("min_parameters"),
    maxParameters: parameters("max_parameters"),
    device: readMachine(draft.device, violations),
    minTokensPerSecond: number("min_tokens_per_second", Number.isFinite, "a number of tokens per second"),
    excludeGated: draft.exclude_gated === "true" ? true : undefined,
  });
  return violations.length > 0 ? { violations } : { request };
}

const factors: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, b: 1e9, t: 1e12 };

/** A number of parameters such as 7B, 500M or 7e9; undefined if the text is none. */
export function parameterCount(text: string): number | undefined {
  const [, digits = "", unit = ""] = /^(.*?)\s*([kmbt]?)$/i.exec(text.trim()) ?? [];
  const value = digits === "" ? Number.NaN : Number(digits) * (factors[unit.toLowerCase()] ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
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
  const { $typeName: _, topK: __, ...wanted } = read.request;
  return { interest: { name: shortened(wanted.description.trim().replaceAll(/\s+/g, " ")), ...wanted } };
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_NAME ? text : `${characters.slice(0, MAX_NAME - 1).join("")}…`;
}
