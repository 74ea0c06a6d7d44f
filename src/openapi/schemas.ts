import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence, isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { FieldBehavior } from "../../gen/google/api/field_behavior_pb.ts";
import type { CommentOf } from "./comments.ts";
import type { JsonSchema } from "./document.ts";
import { behaviors, type Direction, isVisibleIn, type MessageNames, messageNames } from "./names.ts";

/** Adds rules to a schema. Rules for items apply to the items of a list; a reference replaces the schema. */
export function mergeSchemas(schema: JsonSchema, rules: JsonSchema): JsonSchema {
  const { items, ...rest } = rules as { items?: JsonSchema };
  if (items === undefined) {
    return { ...schema, ...rest };
  }
  const merged = "$ref" in items ? items : { ...(schema.items as JsonSchema), ...items };
  return { ...schema, ...rest, items: merged };
}

/** A scalar as ProtoJSON writes it. Requests may also send numbers as text, which the reference omits. */
export function scalarSchema(type: ScalarType): JsonSchema {
  switch (type) {
    case ScalarType.STRING:
      return { type: "string" };
    case ScalarType.BOOL:
      return { type: "boolean" };
    case ScalarType.BYTES:
      return { type: "string", contentEncoding: "base64" };
    case ScalarType.DOUBLE:
      return { type: "number", format: "double" };
    case ScalarType.FLOAT:
      return { type: "number", format: "float" };
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return { type: "integer", format: "int32" };
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return { type: "integer", minimum: 0, maximum: 0xffff_ffff };
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return { type: "string", pattern: "^[0-9]+$" };
    default:
      return { type: "string", pattern: "^-?[0-9]+$" };
  }
}

const known: Readonly<Record<string, JsonSchema>> = {
  "google.protobuf.Timestamp": { type: "string", format: "date-time" },
  "google.protobuf.Duration": { type: "string", pattern: "^-?[0-9]+(\\.[0-9]{1,9})?s$" },
  "google.protobuf.FieldMask": { type: "string" },
  "google.protobuf.Struct": { type: "object" },
  "google.protobuf.Value": {},
  "google.protobuf.ListValue": { type: "array" },
  "google.protobuf.Empty": { type: "object" },
  "google.protobuf.Any": { type: "object", properties: { "@type": { type: "string" } }, required: ["@type"] },
};

/** The schema of a message with a special ProtoJSON form. Undefined for any other. */
export function wellKnownSchema(desc: DescMessage): JsonSchema | undefined {
  const scalar = isWrapperDesc(desc) ? desc.fields[0]?.scalar : undefined;
  const schema = scalar === undefined ? known[desc.typeName] : scalarSchema(scalar);
  return schema && { ...schema };
}

/** What the descriptors do not contain. */
export interface SchemaOptions {
  commentOf: CommentOf;
  /** Rules of fields beyond their types, by full name such as `library.v1.Book.title`. */
  fieldRules: Readonly<Record<string, JsonSchema>>;
  /** Fields with presence that responses always have, by full name. Default: none. */
  alwaysSet?: ReadonlySet<string>;
  /** Whether responses include fields that are zero or empty (`alwaysEmitImplicit`). Default: they do. */
  printsEmpty?: (desc: DescMessage) => boolean;
}

/**
 * JSON Schemas of messages as ProtoJSON writes them, under the names of the contract.
 *
 * A request refuses unknown fields and needs those marked REQUIRED. A response holds every field without presence, and
 * may get more fields with the next version. Each message becomes a component; one that is both sent and received
 * becomes two.
 */
export class Schemas {
  readonly #options: SchemaOptions;
  readonly #names: MessageNames;
  readonly #made = new Map<string, JsonSchema>();

  /** @param roots all messages that schemas will be requested for. */
  constructor(roots: Readonly<Record<Direction, Iterable<DescMessage>>>, options: SchemaOptions) {
    this.#options = options;
    this.#names = messageNames(roots);
  }

  /** The components so far, by name in alphabetical order. */
  get components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#made].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** A message: a reference to its component, or the schema itself if the message has a special JSON form. */
  message(desc: DescMessage, direction: Direction): JsonSchema {
    const own = wellKnownSchema(desc);
    if (own !== undefined) {
      return own;
    }
    const name = this.#names(desc, direction);
    if (!this.#made.has(name)) {
      // Before its fields, because messages can contain themselves.
      this.#made.set(name, {});
      this.#made.set(name, this.messageWithout(desc, direction, new Set()));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** A message's schema in place, without the fields that the path sets. */
  messageWithout(desc: DescMessage, direction: Direction, left: ReadonlySet<DescField>): JsonSchema {
    const { commentOf, printsEmpty, alwaysSet = new Set() } = this.#options;
    const isAlwaysThere = (field: DescField) =>
      direction === "request"
        ? behaviors(field).includes(FieldBehavior.REQUIRED)
        : alwaysSet.has(`${desc.typeName}.${field.name}`) ||
          (field.presence === FeatureSet_FieldPresence.IMPLICIT && (printsEmpty?.(desc) ?? true));
    const fields = desc.fields.filter((field) => !left.has(field) && isVisibleIn(field, direction));
    const required = fields.filter(isAlwaysThere).map((field) => field.name);
    return {
      type: "object",
      ...described(commentOf(desc)),
      properties: Object.fromEntries(fields.map((field) => [field.name, this.#property(field, direction)])),
      ...(required.length > 0 ? { required } : {}),
      ...(direction === "request" ? { additionalProperties: false } : {}),
      ...exclusions(desc, fields),
      ...(desc.deprecated ? { deprecated: true } : {}),
    };
  }

  /** A field of a message. Generators make a property with a default required, so a request has none; comments say it. */
  #property(field: DescField, direction: Direction): JsonSchema {
    const { default: _default, ...rest } = this.field(field, direction);
    return direction === "request" ? rest : this.field(field, direction);
  }

  /** A field: its type, comment and rules. */
  field(field: DescField, direction: Direction): JsonSchema {
    const { commentOf, fieldRules } = this.#options;
    if (direction === "response" && !isVisibleIn(field, direction)) {
      return { type: "array", maxItems: 0, ...described(commentOf(field)) };
    }
    const schema: JsonSchema = {
      ...this.#type(field, direction),
      ...described(commentOf(field)),
      ...(field.deprecated ? { deprecated: true } : {}),
    };
    return mergeSchemas(schema, fieldRules[`${field.parent.typeName}.${field.name}`] ?? {});
  }

  #type(field: DescField, direction: Direction): JsonSchema {
    switch (field.fieldKind) {
      case "list":
        return { type: "array", items: this.#element(field, direction) };
      case "map":
        return { type: "object", additionalProperties: this.#element(field, direction) };
      default:
        return this.#element(field, direction);
    }
  }

  #element(field: DescField, direction: Direction): JsonSchema {
    if (field.message !== undefined) {
      return this.message(field.message, direction);
    }
    return field.enum === undefined
      ? scalarSchema(field.scalar ?? ScalarType.STRING)
      : enumSchema(field.enum, this.#options.commentOf);
  }
}

function enumSchema(desc: DescEnum, commentOf: CommentOf): JsonSchema {
  if (desc.typeName === "google.protobuf.NullValue") {
    return { type: "null" };
  }
  const values = desc.values.map((value) => ({ name: value.name, comment: commentOf(value) }));
  const documented = values.filter(({ comment }) => comment !== "");
  const list = documented.map(({ name, comment }) => `- \`${name}\`: ${comment}`).join("\n");
  return {
    type: "string",
    enum: values.map(({ name }) => name),
    ...described([commentOf(desc), list].filter(Boolean).join("\n\n")),
  };
}

/** At most one field of each oneof. */
function exclusions(desc: DescMessage, fields: readonly DescField[]): JsonSchema {
  const oneofs = desc.oneofs.map((oneof) => oneof.fields.filter((field) => fields.includes(field)));
  const [first] = oneofs;
  if (oneofs.length === 1 && first?.length === fields.length) {
    return { maxProperties: 1 };
  }
  const pairs = oneofs.flatMap((members) =>
    members.flatMap((a, i) => members.slice(i + 1).map((b) => ({ not: { required: [a.name, b.name] } }))),
  );
  return pairs.length > 0 ? { allOf: pairs } : {};
}

function described(description: string): JsonSchema {
  return description === "" ? {} : { description };
}
