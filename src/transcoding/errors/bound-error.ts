import { ConnectError } from "@connectrpc/connect";
import { errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { checkLimits } from "../check-limits.ts";
import { BadRequestSchema } from "../google-api.ts";
import { boundViolations, cutEnd } from "../validation/field-violation.ts";
import { errorDetails } from "./format.ts";

/** A message of so many characters fits, whatever they are. */
const MESSAGE_CHARACTERS = 300;
/** A character takes 13 bytes at most (in gRPC: three bytes, percent-encoded and in base64), so that these fit. */
const FITTING_CHARACTERS = 1_000;
/** Bytes of an error around its message and details. */
const ENVELOPE_BYTES = 400;
/** Characters that a name or bracket adds to a text, generously. */
const NAME_CHARACTERS = 20;

type Detail = ConnectError["details"][number];

/**
 * An error with no more than `checkLimits.errorBytes` in each of the forms that it may travel in; the same object where
 * it has no more. Else its message and its violations are cut, and details at the end are left out until it fits.
 */
export function boundError(error: ConnectError): ConnectError {
  if (charactersOf([error.rawMessage, error.details]) <= FITTING_CHARACTERS || fits(error)) {
    return error;
  }
  const message = cutEnd(error.rawMessage, MESSAGE_CHARACTERS);
  const bounded = new ConnectError(message, error.code, error.metadata, undefined, error.cause);
  let { fieldViolations } = boundViolations(error.findDetails(BadRequestSchema)[0]?.fieldViolations ?? []);
  const isBadRequest = (detail: Detail) => typeOf(detail) === BadRequestSchema.typeName;
  const badRequest = () => ({ desc: BadRequestSchema, value: { fieldViolations } });
  bounded.details = error.details.map((detail) => (isBadRequest(detail) ? badRequest() : detail));
  while (bounded.details.length > 0 && !fits(bounded)) {
    const last = bounded.details.pop()!;
    if (isBadRequest(last) && fieldViolations.length > 1) {
      fieldViolations = fieldViolations.slice(0, fieldViolations.length / 2);
      bounded.details.push(badRequest());
    }
  }
  return bounded;
}

function typeOf(detail: Detail): string {
  return "desc" in detail ? detail.desc.typeName : detail.type;
}

/** Characters and bytes in a value, without encoding it. */
function charactersOf(value: unknown): number {
  if (typeof value === "string" || value instanceof Uint8Array) {
    return value.length;
  }
  if (typeof value !== "object" || value === null) {
    return NAME_CHARACTERS;
  }
  // The description of a type is none of what is sent.
  const sent = "desc" in value && "value" in value ? [value.value] : Object.values(value);
  return sent.reduce<number>((sum, each) => sum + NAME_CHARACTERS + charactersOf(each), 0);
}

function fits(error: ConnectError): boolean {
  const rest = JSON.stringify({ message: error.rawMessage, details: errorDetails(error, undefined) });
  // Without the headers of the error, and without half a surrogate pair, which cannot be percent-encoded.
  const plain = new ConnectError(error.rawMessage.toWellFormed(), error.code);
  plain.details = error.details;
  const trailer = setTrailerStatus(new Headers(), plain);
  const sizes = [
    Buffer.byteLength(rest),
    errorToJsonBytes(error, undefined).byteLength,
    length(trailer.get("grpc-message")) + length(trailer.get("grpc-status-details-bin")),
  ];
  return Math.max(...sizes) <= checkLimits.errorBytes - ENVELOPE_BYTES;
}

function length(text: string | null): number {
  return text?.length ?? 0;
}
