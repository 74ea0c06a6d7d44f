import type { Binding } from "./binding.ts";

/** The name of a field as the body has it, where a field of the request is the body. */
export function nameInBody(field: string, body: Binding["body"]): string {
  const prefix = typeof body === "object" ? `${body.name}.` : "";
  return field.startsWith(prefix) ? field.slice(prefix.length) : field;
}
