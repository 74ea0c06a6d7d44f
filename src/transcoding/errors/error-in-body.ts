import { ConnectError } from "@connectrpc/connect";
import { BadRequestSchema } from "../google-api.ts";
import type { Binding } from "../http-rule/binding.ts";

/** The path of a request's field relative to the body, where the body is one field of the request. */
export function nameInBody(field: string, body: Binding["body"]): string {
  const prefix = typeof body === "object" ? `${body.name}.` : "";
  return field.startsWith(prefix) ? field.slice(prefix.length) : field;
}

/** Renames the violations in a handler's error to the names that the body has. Returns anything else unchanged. */
export function errorInBody(thrown: unknown, body: Binding["body"]): unknown {
  if (!(thrown instanceof ConnectError) || typeof body !== "object") {
    return thrown;
  }
  const violations = thrown.findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
  if (violations.every(({ field }) => nameInBody(field, body) === field)) {
    return thrown;
  }
  // The message repeats the first violations.
  const message = violations.reduce(
    (text, { field }) => text.replace(`${field}: `, () => `${nameInBody(field, body)}: `),
    thrown.rawMessage,
  );
  const fieldViolations = violations.map((violation) => ({ ...violation, field: nameInBody(violation.field, body) }));
  const error = new ConnectError(message, thrown.code, thrown.metadata, undefined, thrown.cause);
  error.details = thrown.details.map((detail) => {
    const type = "desc" in detail ? detail.desc.typeName : detail.type;
    return type === BadRequestSchema.typeName ? { desc: BadRequestSchema, value: { fieldViolations } } : detail;
  });
  return error;
}
