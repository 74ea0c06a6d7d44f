import { type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { BatchSchema } from "../../../gen/modelscout/v1/batch_pb.ts";
import { max_items as maxItemsOption, max_length as maxLengthOption } from "../../../gen/modelscout/v1/options_pb.ts";
import { BatchRecommendRequestSchema } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import type { FieldViolation } from "../../error.ts";

/** The limits of a field of a request; undefined for a limit that does not apply to its type. */
export interface FieldLimits {
  /** Characters of a text, of each text of a list or a map, and of each path of a field mask. */
  length: number | undefined;
  /** Entries of a list or a map, and paths of a field mask. */
  items: number | undefined;
}

/** The limits that a field needs by its type. `inner` is its message, whose fields have their own limits. */
interface CheckedField extends FieldLimits {
  inner: DescMessage | undefined;
}

/** The package of our contract. Other packages cannot declare our options. */
const OWN_PACKAGE = "modelscout.v1";
/** The limits of health and reflection, whose texts are names of services, types and files. */
const limitsOfOthers = { length: 1_000, items: 100 } as const;

const FIELD_MASK = "google.protobuf.FieldMask";
/** Messages without text. */
const withoutText: ReadonlySet<string> = new Set([
  "google.protobuf.Timestamp",
  "google.protobuf.Duration",
  "google.protobuf.Empty",
]);

/**
 * Lists of needs. Only the number of needs is checked here. `checkNeed` checks each need. So a need that is too long
 * gets its own error, and a batch of 10,000 needs can be checked some needs at a time.
 */
const checkedOneByOne: ReadonlySet<DescField> = new Set([
  BatchRecommendRequestSchema.field.requests,
  BatchSchema.field.requests,
]);

const known = new Map<DescMessage, ReadonlyMap<DescField, CheckedField>>();

/**
 * Reads the limits of a request message and of all messages inside it, as the contract declares them.
 *
 * @throws Error that names a field with text or entries that declares no limit. Every method is read at start-up.
 */
export function readLimits(desc: DescMessage): ReadonlyMap<DescField, CheckedField> {
  const found = known.get(desc);
  if (found !== undefined) {
    return found;
  }
  const limits = new Map<DescField, CheckedField>();
  // The message is added before its fields are read, because a message can contain itself.
  known.set(desc, limits);
  try {
    for (const field of desc.fields) {
      const checked = checkedField(field);
      if (checked !== undefined) {
        limits.set(field, checked);
      }
    }
  } catch (error) {
    known.delete(desc);
    throw error;
  }
  return limits;
}

/** The limits of all fields of a request message, and of the messages inside it. @throws Error as readLimits does. */
export function limitsWithin(desc: DescMessage, seen = new Set<DescMessage>()): Array<[DescField, FieldLimits]> {
  if (seen.has(desc)) {
    return [];
  }
  seen.add(desc);
  return [...readLimits(desc)].flatMap(([field, limits]) => [
    [field, limits] as [DescField, FieldLimits],
    ...(limits.inner === undefined ? [] : limitsWithin(limits.inner, seen)),
  ]);
}

/** Most characters of a text of the contract. */
export function maxLength(field: DescField): number {
  return declared(field, "max_length");
}

/** Most entries of a list of the contract. */
export function maxItems(field: DescField): number {
  return declared(field, "max_items");
}

function checkedField(field: DescField): CheckedField | undefined {
  const { message } = field;
  const isMask = message?.typeName === FIELD_MASK;
  const hasText =
    isMask || field.scalar === ScalarType.STRING || (field.fieldKind === "map" && field.mapKey === ScalarType.STRING);
  const hasItems = isMask || field.fieldKind === "list" || field.fieldKind === "map";
  const inner = message === undefined || isMask || withoutText.has(message.typeName) ? undefined : message;
  if (inner?.file.proto.package === "google.protobuf") {
    throw new Error(`${nameOf(field)} has the type ${inner.typeName}, for whose texts there is no limit`);
  }
  if (inner !== undefined) {
    readLimits(inner);
  }
  if (!hasText && !hasItems && inner === undefined) {
    return undefined;
  }
  return {
    length: hasText ? declared(field, "max_length") : undefined,
    items: hasItems ? declared(field, "max_items") : undefined,
    inner,
  };
}

function declared(field: DescField, option: "max_length" | "max_items"): number {
  const isLength = option === "max_length";
  if (field.parent.file.proto.package !== OWN_PACKAGE) {
    return limitsOfOthers[isLength ? "length" : "items"];
  }
  const limit = getOption(field, isLength ? maxLengthOption : maxItemsOption);
  if (limit > 0) {
    return limit;
  }
  throw new Error(`${nameOf(field)} declares no ${option}; see proto/modelscout/v1/options.proto`);
}

function nameOf(field: DescField): string {
  return `${field.parent.typeName}.${field.name}`;
}

/** A field that is set: its value and its name, as the form of the message has it. */
type SetField = [field: DescField, name: string, value: unknown];
/** Lists the fields of a message that are set. */
type Form = (desc: DescMessage, holder: object) => Iterable<SetField>;

/** Violations for fields of a message that are too long or have too many entries, by the contract's names. */
export function longTexts(desc: DescMessage, message: object): FieldViolation[] {
  return [...tooMuchIn(desc, message, fieldsOfMessage, "")];
}

/** As longTexts, for a message in JSON with names in either spelling. It skips values of a wrong type. */
export function longTextsInJson(desc: DescMessage, json: object): FieldViolation[] {
  return [...tooMuchIn(desc, json, fieldsOfJson, "")];
}

function* fieldsOfMessage(desc: DescMessage, holder: object): Generator<SetField> {
  const values = holder as Record<string, unknown>;
  for (const field of desc.fields) {
    const { oneof } = field;
    if (oneof === undefined) {
      yield [field, field.name, values[field.localName]];
    } else {
      const member = values[oneof.localName] as { case?: string; value?: unknown };
      if (member.case === field.localName) {
        yield [field, field.name, member.value];
      }
    }
  }
}

function* fieldsOfJson(desc: DescMessage, holder: object): Generator<SetField> {
  const values = holder as Record<string, unknown>;
  for (const field of desc.fields) {
    const { name, jsonName } = field;
    if (Object.hasOwn(values, name)) {
      yield [field, name, values[name]];
    }
    if (jsonName !== name && Object.hasOwn(values, jsonName)) {
      yield [field, jsonName, values[jsonName]];
    }
  }
}

function* tooMuchIn(desc: DescMessage, holder: object, form: Form, path: string): Generator<FieldViolation> {
  const limits = readLimits(desc);
  for (const [field, name, value] of form(desc, holder)) {
    const limit = limits.get(field);
    if (limit !== undefined && !isClearlyWithin(limit, value)) {
      yield* tooMuchInField(field, limit, value, path + name, form);
    }
  }
}

/** Whether a value needs no closer look: most fields are absent, and most texts are short. */
function isClearlyWithin({ length = 0, items }: CheckedField, value: unknown): boolean {
  if (typeof value === "string") {
    return items === undefined && value.length <= length;
  }
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

function* tooMuchInField(
  field: DescField,
  limit: CheckedField,
  value: unknown,
  name: string,
  form: Form,
): Generator<FieldViolation> {
  if (limit.items === undefined) {
    yield* tooMuchInValue(limit, value, name, form);
    return;
  }
  const entries = entriesOf(field, value);
  if (entries.length > limit.items) {
    yield { field: name, description: `has ${entries.length} entries; at most ${limit.items} are allowed` };
  } else if (!checkedOneByOne.has(field)) {
    // Keys of maps are texts as well.
    for (const [i, entry] of (field.fieldKind === "map" ? entries.flat() : entries).entries()) {
      const [first] = tooMuchInValue(limit, entry, field.fieldKind === "list" ? `${name}[${i}]` : name, form);
      // One entry is enough; others may have the same violation.
      if (first !== undefined) {
        yield first;
        return;
      }
    }
  }
}

/** The entries of a list or a field mask, or those of a map with its keys. */
function entriesOf(field: DescField, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    return value;
  }
  // A field mask is a text in JSON.
  if (typeof value === "string") {
    return value.split(",");
  }
  if (typeof value !== "object" || value === null) {
    return [];
  }
  if (field.fieldKind === "map") {
    return Object.entries(value);
  }
  return "paths" in value && Array.isArray(value.paths) ? value.paths : [];
}

function* tooMuchInValue(limit: CheckedField, value: unknown, name: string, form: Form): Generator<FieldViolation> {
  if (typeof value === "string" && limit.length !== undefined) {
    const description = lengthProblem(value, limit.length);
    if (description !== undefined) {
      yield { field: name, description };
    }
  } else if (typeof value === "object" && value !== null && !Array.isArray(value) && limit.inner !== undefined) {
    yield* tooMuchIn(limit.inner, value, form, `${name}.`);
  }
}

/** Blanks at both ends do not count as characters. Their number has the same limit as the number of characters. */
function lengthProblem(text: string, most: number): string | undefined {
  // A character is one or two code units.
  if (text.length <= most) {
    return undefined;
  }
  const trimmed = text.trim();
  const characters = countCharacters(trimmed);
  if (characters > most) {
    return `has ${characters} characters; at most ${most} are allowed`;
  }
  const blanks = text.length - trimmed.length;
  return blanks > most ? `has ${blanks} blanks around it; at most ${most} are allowed` : undefined;
}

function countCharacters(text: string): number {
  let characters = 0;
  for (const _ of text) {
    characters += 1;
  }
  return characters;
}
