import type { JsonSchema } from "./document.ts";

/** A schema with rules over it. Rules for the items of a list go to its items; a reference replaces them. */
export function mergeSchemas(schema: JsonSchema, rules: JsonSchema): JsonSchema {
  const { items, ...rest } = rules as { items?: JsonSchema };
  if (items === undefined) return { ...schema, ...rest };
  const merged = "$ref" in items ? items : { ...(schema.items as JsonSchema), ...items };
  return { ...schema, ...rest, items: merged };
}
