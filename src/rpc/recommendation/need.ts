import { BatchSchema } from "../../../gen/modelscout/v1/batch_pb.ts";
import {
  BatchRecommendRequestSchema,
  type QuickRecommendRequest,
  RecommendationService,
  type RecommendRequest,
  RecommendRequestSchema,
} from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { type FieldViolation, invalidRequest } from "../../error.ts";
import { type HardwareFields, hardwareClasses, readHardware, requestLimits } from "../../hardware/index.ts";
import {
  type Capability,
  capabilityNames,
  isLanguageCode,
  knownLabels,
  knownLicenses,
  licenseWords,
  taskTypeOf,
  taskTypes,
} from "../../inventory/index.ts";
import { type Need, namesHardware, priorities, wishKinds } from "../../recommend/index.ts";
import { didYouMean } from "../../text/index.ts";
import { longTexts, maxItems, maxLength } from "../call/text-limits.ts";
import { valueCheck, violationsOf } from "../call/value-check.ts";

/** The limits of a need. The API reference has the same figures; those of texts and lists are declared in the contract. */
export const needLimits = {
  /** Characters of a description, after trimming. */
  descriptionCharacters: maxLength(RecommendRequestSchema.field.description),
  /** Results of one answer. */
  topK: 50,
  /** Results by default. */
  defaultTopK: 5,
  /** Results of a preview by default. */
  defaultPreview: 10,
  /** Entries of `languages`, and of `ignore`. */
  listEntries: maxItems(RecommendRequestSchema.field.languages),
  /** Tokens per second: far more than any device generates. */
  tokensPerSecond: 1e6,
  /** Needs of one call of BatchRecommend. */
  batchNeeds: maxItems(BatchRecommendRequestSchema.field.requests),
  /** Needs of a batch in the background. */
  backgroundNeeds: maxItems(BatchSchema.field.requests),
} as const;

/** The fields of a need, by their names in messages. Absent fields are undefined. */
export type NeedFields = MessageFields<RecommendRequest> & { description: string };

/** The fields of a message without its type, each optional. */
type MessageFields<T> = {
  [Field in keyof Omit<T, "$typeName" | "$unknown">]?: T[Field] extends string[]
    ? readonly string[]
    : Field extends "device"
      ? HardwareFields
      : T[Field];
};

/** A violation of the value of a field, or those of the fields of its message. */
class Wrong {
  readonly description: string;
  /** By names within the request. */
  readonly inner: readonly FieldViolation[];

  constructor(description: string, inner: readonly FieldViolation[] = []) {
    this.description = description;
    this.inner = inner;
  }

  /** @param field the field's name in the request. */
  violations(field: string): readonly FieldViolation[] {
    return this.inner.length > 0 ? this.inner : [{ field, description: this.description }];
  }
}

/**
 * The fields of a need, each with its reader, which returns the domain's value or a violation.
 * A new field of a need is a row here. Its names in JSON and in messages are the contract's; REST, interests, batches
 * and the command line read it by them.
 */
const needTable = {
  description: (text: string) =>
    text.trim() || new Wrong("is required: say in plain English what the model is needed for"),
  // People know the labels of the Hub. Each label belongs to a type.
  taskType: oneOf(taskTypes, (sent) => (knownLabels.includes(sent) ? taskTypeOf(sent) : undefined)),
  hardware: oneOf(Object.keys(hardwareClasses)),
  license: (sent?: string) => {
    const license = sent?.trim().toLowerCase();
    if (license === undefined || isLicense(license)) {
      return license;
    }
    const near = didYouMean(license, [...licenseWords, ...knownLicenses]);
    return new Wrong(`is ${shown(sent)}; must be one of ${licenseWords.join(", ")}, or a licence id${near}`);
  },
  maxSizeGb: (size?: number) =>
    size === undefined || (size > 0 && Number.isFinite(size))
      ? size
      : new Wrong(`is ${size}; must be a number greater than 0, in gigabytes`),
  topK: (count: number = needLimits.defaultTopK) => topKProblem(count) ?? count,
  minContextLength: (tokens?: number) =>
    tokens === undefined || (Number.isInteger(tokens) && tokens >= 1)
      ? tokens
      : new Wrong(`is ${tokens}; must be a whole number of tokens, at least 1`),
  languages: (codes: readonly string[] = []) => {
    const languages = codes.map((code) => code.trim().toLowerCase());
    const unknown = languages.filter((code) => !isLanguageCode(code));
    if (unknown.length > 0) {
      return new Wrong(`has ${listed(unknown)}; each entry must be an ISO 639-1 code such as en, de or zh`);
    }
    return languages.length > 0 ? languages : undefined;
  },
  ignore: (wishes: readonly string[] = []) => {
    const kindOf = (wish: string) => wish.split(":")[0] as string;
    const [strange, ...more] = wishes.filter((wish) => !(wishKinds as readonly string[]).includes(kindOf(wish)));
    if (strange === undefined) {
      return wishes;
    }
    const near = didYouMean(kindOf(strange), wishKinds);
    const kinds = wishKinds.join(", ");
    return new Wrong(
      `has ${listed([strange, ...more])}; each entry must be a kind of wish (${kinds}) or kind:value${near}`,
    );
  },
  priority: oneOf(priorities),
  capabilities: (sent: readonly string[] = []) => {
    const wanted = sent.map((name) => name.trim().toLowerCase());
    const [strange, ...more] = wanted.filter((name) => !(capabilityNames as readonly string[]).includes(name));
    if (strange !== undefined) {
      const near = didYouMean(strange, capabilityNames);
      return new Wrong(
        `has ${listed([strange, ...more])}; each entry must be one of ${capabilityNames.join(", ")}${near}`,
      );
    }
    return wanted.length > 0 ? (wanted as readonly Capability[]) : undefined;
  },
  minParameters: parameterCount,
  maxParameters: parameterCount,
  device: (sent?: HardwareFields) => {
    if (sent === undefined) {
      return undefined;
    }
    const device = hardwareOf(sent);
    if (Object.keys(device).length === 0) {
      const names = "gpu_name, cpu_name or class, or memory_gb with memory_bandwidth_gb_s";
      return new Wrong(`says nothing about the hardware; give ${names}`);
    }
    const checked = readHardware(device, "device");
    return "violations" in checked ? new Wrong("", checked.violations) : device;
  },
  minTokensPerSecond: (speed?: number) =>
    speed === undefined || (speed > 0 && speed <= needLimits.tokensPerSecond)
      ? speed
      : new Wrong(`is ${speed}; must be above 0 and at most ${needLimits.tokensPerSecond}, in tokens per second`),
  excludeGated: (isExcluded?: boolean) => isExcluded,
} satisfies { [Field in keyof Required<NeedFields>]: (sent: never) => unknown };

/** The values that the table reads from a valid need. */
type ReadFields = {
  [Field in keyof typeof needTable]: Exclude<ReturnType<(typeof needTable)[Field]>, Wrong>;
};

/** Values that a message repeats. */
const MAX_LISTED = 5;

/** Checks the fields of a need. @throws ServiceError INVALID_REQUEST with all violations at once. */
export function validateNeed(fields: NeedFields): Need {
  const result = checkNeed(fields);
  if ("violations" in result) {
    throw invalidRequest(result.violations);
  }
  return result.need;
}

/** As validateNeed, with the violations as a value. A text or a list that is too long is reported alone. */
export function checkNeed(fields: NeedFields): { need: Need } | { violations: FieldViolation[] } {
  const long = longTexts(RecommendRequestSchema, fields);
  if (long.length > 0) {
    return { violations: long };
  }
  const violations: FieldViolation[] = [];
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(needTable) as Array<keyof typeof needTable>) {
    const read = needTable[name] as (sent: unknown) => unknown;
    const value = read(fields[name]);
    if (value instanceof Wrong) {
      violations.push(...value.violations(RecommendRequestSchema.field[name].name));
    } else {
      values[name] = value;
    }
  }
  violations.push(...contradictions(fields, values));
  if (violations.length > 0) {
    return { violations };
  }
  const { description, topK, ignore, priority, ...filter } = values as ReadFields;
  return { need: { description, filter, topK, ignore, ...(priority !== undefined && { priority }) } };
}

/** The violations of fields that are valid alone but not together. @param values the values of the valid fields. */
function contradictions(sent: NeedFields, values: Partial<ReadFields>): FieldViolation[] {
  const { minParameters, maxParameters, hardware, device, minTokensPerSecond, description, ignore = [] } = values;
  const violations: FieldViolation[] = [];
  if (minParameters !== undefined && maxParameters !== undefined && minParameters > maxParameters) {
    const bounds = `min_parameters is ${minParameters} and max_parameters is ${maxParameters}`;
    violations.push(
      { field: "min_parameters", description: `must be at most max_parameters: ${bounds}` },
      { field: "max_parameters", description: `must be at least min_parameters: ${bounds}` },
    );
  }
  if (hardware !== undefined && device?.class !== undefined && device.class !== hardware) {
    const problem = `is ${shown(device.class)}, but hardware is ${shown(hardware)}; give one of them, or the same in both`;
    violations.push({ field: "device.class", description: problem });
  }
  // Invalid hardware already has its own violation.
  const isOnDevice = sent.hardware !== undefined || sent.device !== undefined;
  if (
    minTokensPerSecond !== undefined &&
    !isOnDevice &&
    description !== undefined &&
    !namesHardware({ description, ignore })
  ) {
    const problem =
      "needs hardware, because speed depends on it: give device or hardware, or name the hardware in the description";
    violations.push({ field: "min_tokens_per_second", description: problem });
  }
  return violations;
}

/** The fields of hardware that are neither absent nor empty. Other fields of the message would count as sent. */
function hardwareOf(sent: HardwareFields): HardwareFields {
  const { class: name, gpuName, gpuCount, cpuName, memoryGb, memoryBandwidthGbS, systemMemoryGb } = sent;
  const fields = { class: name, gpuName, gpuCount, cpuName, memoryGb, memoryBandwidthGbS, systemMemoryGb };
  const given = Object.entries(fields).flatMap(([field, value]) => {
    const read = typeof value === "string" ? value.trim() : value;
    return read === undefined || read === "" ? [] : [[field, read] as const];
  });
  return Object.fromEntries(given);
}

function parameterCount(count?: number): number | undefined | Wrong {
  return count === undefined || (count > 0 && count <= requestLimits.parameters)
    ? count
    : new Wrong(`is ${count}; must be above 0 and at most ${requestLimits.parameters}`);
}

/** The violation of a number of results, if any. */
export function topKViolations(topK: number | undefined): FieldViolation[] {
  const problem = topK === undefined ? undefined : topKProblem(topK);
  return problem === undefined ? [] : [{ field: "top_k", description: problem.description }];
}

function topKProblem(count: number): Wrong | undefined {
  const isRight = Number.isInteger(count) && count >= 1 && count <= needLimits.topK;
  return isRight ? undefined : new Wrong(`is ${count}; must be a whole number from 1 to ${needLimits.topK}`);
}

/** @param meant returns the allowed value that a word of another vocabulary means; undefined if there is none. */
function oneOf<T extends string>(
  allowed: readonly T[],
  meant: (sent: string) => T | undefined = () => undefined,
): (sent?: string) => T | undefined | Wrong {
  return (sent) => {
    if (sent === undefined) {
      return undefined;
    }
    const known = allowed.find((each) => each === sent);
    const other = meant(sent.trim().toLowerCase());
    const hint = other === undefined ? didYouMean(sent, allowed) : `; ${sent.trim()} is a task of the type ${other}`;
    return known ?? new Wrong(`is ${shown(sent)}; must be one of ${allowed.join(", ")}${hint}`);
  };
}

/** The fields of a need in a query: its description is `q`. */
export function checkQuickNeed({ q, ...fields }: QuickRecommendRequest): ReturnType<typeof checkNeed> {
  const checked = checkNeed({ ...fields, description: q });
  if ("need" in checked) {
    return checked;
  }
  const renamed = ({ field, ...rest }: FieldViolation) => ({ field: field === "description" ? "q" : field, ...rest });
  return { violations: checked.violations.map(renamed) };
}

/** The checks of RecommendationService's requests in JSON, before the handler. */
export const recommendationChecks = [
  valueCheck(RecommendationService.method.recommend, (request) => violationsOf(checkNeed(request))),
  valueCheck(RecommendationService.method.quickRecommend, (request) => violationsOf(checkQuickNeed(request))),
];

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
