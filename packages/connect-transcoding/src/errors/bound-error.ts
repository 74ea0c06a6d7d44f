import { ConnectError } from "@connectrpc/connect";
import { errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { checkLimits } from "../check-limits.ts";
import { BadRequestSchema } from "../google-api.ts";
import { boundViolations, cutEnd } from "../validation/field-violation.ts";
import { errorDetails } from "./format.ts";

/** A message of this length fits, whatever its characters are. */
const MESSAGE_CHARACTERS = 300;
/** A character takes at most 13 bytes (in gRPC: three bytes, percent-encoded and in base64), so this many fit. */
const FITTING_CHARACTERS = 1_000;
/** Bytes of an error around its message and details. */
const ENVELOPE_BYTES = 400;
/** An upper bound on the characters that names and brackets add to a text. */
const NAME_CHARACTERS = 20;

type Detail = ConnectError["details"][number];

/**
 * Bounds an error to `checkLimits.errorBytes` in every protocol. An error that fits is returned as it is. Of a larger
 * one the message and violations are cut, and details are dropped from the end until it fits.
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

/** Counts the characters and bytes in a value without encoding it. */
function charactersOf(value: unknown): number {
  if (typeof value === "string" || value instanceof Uint8Array) {
    return value.length;
  }
  if (typeof value !== "object" || value === null) {
    return NAME_CHARACTERS;
  }
  // The descriptor of a type is not sent.
  const sent = "desc" in value && "value" in value ? [value.value] : Object.values(value);
  return sent.reduce<number>((sum, each) => sum + NAME_CHARACTERS + charactersOf(each), 0);
}

function fits(error: ConnectError): boolean {
  const rest = JSON.stringify({ message: error.rawMessage, details: errorDetails(error, undefined) });
  // Leaves out the error's headers, and lone surrogates, which cannot be percent-encoded.
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
