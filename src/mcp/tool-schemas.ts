import type { DescMessage, DescMethod } from "@bufbuild/protobuf";
import { commentReader, type Direction, type JsonSchema, type SchemaOptions, Schemas } from "../openapi/index.ts";
import { shortenedSchema } from "./bound-answer.ts";
import { toolPageSize } from "./tools.ts";

/** What the schemas of tools are made from. */
export interface ToolContract extends Pick<SchemaOptions, "fieldRules" | "alwaysSet"> {
  /** The served methods, from descriptors with the contract's comments. */
  methods: readonly DescMethod[];
}

/** A schema of an object, as tools declare them. */
export interface ObjectSchema extends JsonSchema {
  type: "object";
  properties: Record<string, JsonSchema>;
}

/** The schemas of a tool's arguments and of its structured content. */
export interface ToolSchemas {
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
}

/**
 * Makes the schemas of a method's request and response, by the generator of the OpenAPI document.
 *
 * @param seen names of the messages in arguments that the list of tools has described so far; those of this method are
 *   added. Agents read the whole list at once, so such a message is described only in the first schema that has it.
 * @throws Error if the contract lacks the method.
 */
export function toolSchemas(method: DescMethod, contract: ToolContract, seen: Set<string>): ToolSchemas {
  const described = contract.methods.find(
    ({ name, parent }) => name === method.name && parent.typeName === method.parent.typeName,
  );
  if (described === undefined) {
    throw new Error(`${method.parent.typeName}/${method.name} is not served`);
  }
  const inputSchema = messageSchema(described.input, "request", contract);
  const outputSchema = withTexts(messageSchema(described.output, "response", contract), firstSentence);
  const { page_size: pageSize } = inputSchema.properties;
  if (pageSize !== undefined) {
    const { usual, most } = toolPageSize;
    inputSchema.properties.page_size = {
      ...pageSize,
      description: `Maximum number of models in a page. 0 or nothing means ${usual}, and more than ${most} means ${most}.`,
    };
  }
  describeOnce(inputSchema, seen);
  // Names of fields say what they are, few hosts show an agent more, and the API reference has the comments.
  describeOnce(outputSchema);
  outputSchema.properties.shortened = shortenedSchema;
  return { inputSchema, outputSchema };
}

/** A message's schema with the messages inside it as definitions, complete in itself. */
function messageSchema(desc: DescMessage, direction: Direction, { fieldRules, alwaysSet }: ToolContract): ObjectSchema {
  const roots = { request: [], response: [], [direction]: [desc] };
  const schemas = new Schemas(roots, { commentOf: commentReader(), fieldRules, alwaysSet });
  const schema = schemas.messageWithout(desc, direction, new Set());
  const inner = schemas.components;
  const whole = Object.keys(inner).length > 0 ? { ...schema, $defs: inner } : schema;
  return plain(whole) as ObjectSchema;
}

/** Drops the descriptions of messages inside a schema: those of messages that have been described, or without `seen` all. */
function describeOnce(schema: ObjectSchema, seen?: Set<string>): void {
  const inner = (schema.$defs ?? {}) as Record<string, ObjectSchema>;
  for (const [name, message] of Object.entries(inner)) {
    inner[name] = withTexts(message, (text) => (seen === undefined || seen.has(name) ? undefined : text));
    seen?.add(name);
  }
}

/** A schema of a message with other descriptions of it and of its fields. */
function withTexts(schema: ObjectSchema, change: (text: string) => string | undefined): ObjectSchema {
  const changed = <T extends JsonSchema>({ description, ...rest }: T): T => {
    const text = typeof description === "string" ? change(description) : undefined;
    return { ...rest, ...(text === undefined ? {} : { description: text }) } as T;
  };
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, changed(field)]);
  return changed({ ...schema, properties: Object.fromEntries(properties) });
}

/** The first sentence of a comment, which says what the field is; the rest is in the API reference. */
function firstSentence(text: string): string {
  const end = text.search(/[.:]\s/);
  return end === -1 ? text : `${text.slice(0, end)}.`;
}

/** Formats of OpenAPI. Validators of JSON Schema warn of formats that they do not know. */
const openApiFormats: ReadonlySet<unknown> = new Set(["int32", "double", "float"]);

/** Longer lists of values, such as that of all licences, are left out: an error names the nearest value. */
const MOST_VALUES = 40;

/** A schema of OpenAPI as one of JSON Schema. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map(plain);
  }
  if (typeof schema !== "object" || schema === null) {
    return schema;
  }
  const entries = Object.entries(schema).filter(
    ([key, value]) =>
      !(key === "format" && openApiFormats.has(value)) &&
      !(key === "enum" && Array.isArray(value) && value.length > MOST_VALUES),
  );
  return Object.fromEntries(
    entries.map(([key, value]) =>
      key === "$ref" && typeof value === "string"
        ? [key, value.replace("#/components/schemas/", "#/$defs/")]
        : [key, plain(value)],
    ),
  );
}
