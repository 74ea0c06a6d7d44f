import { ConnectError } from "@connectrpc/connect";
import { BadRequestSchema } from "../google-api.ts";
import type { Binding } from "../http-rule/binding.ts";

/** The name of a field as the body has it, where a field of the request is the body. */
export function nameInBody(field: string, body: Binding["body"]): string {
  const prefix = typeof body === "object" ? `${body.name}.` : "";
  return field.startsWith(prefix) ? field.slice(prefix.length) : field;
}

/** An error of a handler, with violations of fields under the names that the body has. Anything else as it is. */
export function errorInBody(thrown: unknown, body: Binding["body"]): unknown {
  if (!(thrown instanceof ConnectError) || typeof body !== "object") {
    return thrown;
  }
  const told = thrown.findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
  if (told.every(({ field }) => nameInBody(field, body) === field)) {
    return thrown;
  }
  // The message repeats the first ones.
  const message = told.reduce(
    (text, { field }) => text.replace(`${field}: `, () => `${nameInBody(field, body)}: `),
    thrown.rawMessage,
  );
  const fieldViolations = told.map((violation) => ({ ...violation, field: nameInBody(violation.field, body) }));
  const error = new ConnectError(message, thrown.code, thrown.metadata, undefined, thrown.cause);
  error.details = thrown.details.map((detail) => {
    const type = "desc" in detail ? detail.desc.typeName : detail.type;
    return type === BadRequestSchema.typeName ? { desc: BadRequestSchema, value: { fieldViolations } } : detail;
  });
  return error;
}
