import { BatchSchema } from "../../../gen/modelscout/v1/batch_pb.ts";
import {
  BatchRecommendRequestSchema,
  type RecommendRequest,
  RecommendRequestSchema,
} from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { type FieldViolation, invalidRequest } from "../../error.ts";
import { hardwareClasses } from "../../hardware/index.ts";
import { isLanguageCode, isTaskType, knownLicenses, licenseWords, taskTypes } from "../../inventory/index.ts";
import { type Need, wishKinds } from "../../recommend/index.ts";
import { didYouMean } from "../../text/index.ts";
import { longTextsInJson, maxItems, maxLength } from "../call/text-limits.ts";

/** How much a need may hold. The API reference tells the same figures; those of texts and lists are the contract's. */
export const needLimits = {
  /** Characters of a description, after trimming. */
  descriptionCharacters: maxLength(RecommendRequestSchema.field.description),
  /** Results of one answer. */
  topK: 50,
  /** Results where the caller does not say. */
  defaultTopK: 5,
  /** Results of a preview where the caller does not say. */
  defaultPreview: 10,
  /** Entries of `languages`, and of `ignore`. */
  listEntries: maxItems(RecommendRequestSchema.field.languages),
  /** Needs of one call of BatchRecommend. */
  batchNeeds: maxItems(BatchRecommendRequestSchema.field.requests),
  /** Needs of a batch in the background. */
  backgroundNeeds: maxItems(BatchSchema.field.requests),
} as const;

/** The fields of a need as a caller sends them, by their names in the API. Absent fields are undefined. */
export interface NeedFields {
  description: string;
  task_type?: string;
  max_size_gb?: number;
  hardware?: string;
  license?: string;
  top_k?: number;
  languages?: readonly string[];
  min_context_length?: number;
  ignore?: readonly string[];
}

/** Values that a message repeats. */
const MAX_LISTED = 5;

/**
 * Checks the fields of a need. What is too long is told alone: nothing else looks at it.
 *
 * @param nameOf how the caller calls a field, for the violations; default: the field's own name.
 * @throws ServiceError INVALID_REQUEST with all violations at once.
 */
export function validateNeed(fields: NeedFields, nameOf: (field: string) => string = (field) => field): Need {
  const result = checkNeed(fields, nameOf);
  if ("violations" in result) {
    throw invalidRequest(result.violations);
  }
  return result.need;
}

/** As validateNeed, with the violations as a value. */
export function checkNeed(
  fields: NeedFields,
  nameOf: (field: string) => string = (field) => field,
): { need: Need } | { violations: FieldViolation[] } {
  const long = longTextsInJson(RecommendRequestSchema, fields, nameOf);
  if (long.length > 0) {
    return { violations: long };
  }
  const violations: FieldViolation[] = [];
  const violate = (field: keyof NeedFields, description: string) => {
    violations.push({ field: nameOf(field), description });
  };
  const oneOf = (field: "task_type" | "hardware", allowed: readonly string[]) => {
    const value = fields[field];
    if (value === undefined || allowed.includes(value)) {
      return;
    }
    violate(field, `is ${shown(value)}; must be one of ${allowed.join(", ")}${didYouMean(value, allowed)}`);
  };

  const description = fields.description.trim();
  if (description === "") {
    violate("description", "is required: say in plain English what the model is needed for");
  }
  oneOf("task_type", taskTypes);
  oneOf("hardware", Object.keys(hardwareClasses));
  const license = fields.license?.trim().toLowerCase();
  if (license !== undefined && !isLicense(license)) {
    const all = [...licenseWords, ...knownLicenses];
    violate(
      "license",
      `is ${shown(fields.license)}; must be one of ${licenseWords.join(", ")}, or a licence id${didYouMean(license, all)}`,
    );
  }
  const size = fields.max_size_gb;
  if (size !== undefined && !(size > 0 && Number.isFinite(size))) {
    violate("max_size_gb", `is ${size}; must be a number greater than 0, in gigabytes`);
  }
  const topK = fields.top_k;
  if (topK !== undefined && !(Number.isInteger(topK) && topK >= 1 && topK <= needLimits.topK)) {
    violate("top_k", `is ${topK}; must be a whole number from 1 to ${needLimits.topK}`);
  }
  const context = fields.min_context_length;
  if (context !== undefined && !(Number.isInteger(context) && context >= 1)) {
    violate("min_context_length", `is ${context}; must be a whole number of tokens, at least 1`);
  }
  const languages = (fields.languages ?? []).map((code) => code.trim().toLowerCase());
  const unknown = languages.filter((code) => !isLanguageCode(code));
  if (unknown.length > 0) {
    violate("languages", `has ${listed(unknown)}; must be ISO 639-1 codes such as en, de or zh`);
  }
  const ignore = fields.ignore ?? [];
  const strange = ignore.filter((wish) => !(wishKinds as readonly string[]).includes(wish.split(":")[0] as string));
  if (strange.length > 0) {
    const near = didYouMean((strange[0] as string).split(":")[0] as string, wishKinds);
    violate("ignore", `has ${listed(strange)}; must be kinds of wishes (${wishKinds.join(", ")}) or kind:value${near}`);
  }

  if (violations.length > 0) {
    return { violations };
  }
  return {
    need: {
      description,
      filter: {
        taskType: fields.task_type !== undefined && isTaskType(fields.task_type) ? fields.task_type : undefined,
        maxSizeGb: size,
        hardware: fields.hardware,
        license,
        languages: languages.length > 0 ? languages : undefined,
        minContextLength: context,
      },
      topK: topK ?? needLimits.defaultTopK,
      ignore,
    },
  };
}

function isLicense(license: string): boolean {
  return (licenseWords as readonly string[]).includes(license) || knownLicenses.includes(license);
}

/** Values for a message, the first few of many. */
function listed(values: readonly string[]): string {
  const more = values.length - MAX_LISTED;
  return values.slice(0, MAX_LISTED).map(shown).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** A value for a message: quoted, and cut where it is long. */
function shown(value: string | undefined): string {
  return JSON.stringify(value !== undefined && value.length > 60 ? `${value.slice(0, 60)}…` : value);
}

/** The fields of a need in a message. */
export function needFields(request: Omit<RecommendRequest, "$typeName" | "$unknown">): NeedFields {
  return {
    description: request.description,
    task_type: request.taskType,
    max_size_gb: request.maxSizeGb,
    hardware: request.hardware,
    license: request.license,
    top_k: request.topK,
    languages: request.languages,
    min_context_length: request.minContextLength,
    ignore: request.ignore,
  };
}
