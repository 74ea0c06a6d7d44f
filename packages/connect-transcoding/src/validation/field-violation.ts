import { checkLimits } from "../check-limits.ts";

/** Cuts the end off a text that is longer than `maxCharacters`. */
export function cutEnd(text: string, maxCharacters: number): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1).toWellFormed()}…` : text.toWellFormed();
}

/** Leaves out the middle of a text that is longer than `maxCharacters`. */
export function cutMiddle(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) {
    return text.toWellFormed();
  }
  const tail = Math.floor((maxCharacters - 1) / 2);
  const head = maxCharacters - 1 - tail;
  return `${text.slice(0, head).toWellFormed()}…${text.slice(-tail).toWellFormed()}`;
}

/** A violation in words: the field as the client sent it, and what would be right. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

/** Violations within the bounds of an error. */
export interface BoundedViolations {
  /** Quotes the first few, and says how many more there are. */
  readonly message: string;
  /** For google.rpc.BadRequest: all of them, or the first of many, with long texts cut. */
  readonly fieldViolations: FieldViolation[];
}

/** The message names this many. */
const MAX_IN_MESSAGE = 3;
/** Bytes of the message in the largest form of an error. Three violations of the longest texts in ASCII fit. */
const MESSAGE_BYTES = 4_000;
/** A message of this length fits, whatever its characters are. */
const SAFE_MESSAGE_CHARACTERS = 300;
/** Bytes of an error besides the message and the violations: names of types, the reason, brackets. */
const OTHER_BYTES = 1_500;
/** Bytes of a violation besides its texts. */
const VIOLATION_BYTES = 41;

/** Cuts violations so that an error with them has at most `checkLimits.errorBytes` in every protocol. */
export function boundViolations(violations: readonly FieldViolation[]): BoundedViolations {
  const listed = violations.slice(0, checkLimits.violationsListed).map(({ field, description }) => {
    // Keys from JSON may have a lone surrogate, which Protobuf cannot carry. Cutting replaces it too.
    return {
      field: cutMiddle(field, checkLimits.violationCharacters),
      description: cutMiddle(description, checkLimits.violationCharacters),
    };
  });
  const named = listed
    .slice(0, MAX_IN_MESSAGE)
    .map(({ field, description }) => (field === "" ? description : `${field}: ${description}`));
  const whole = named.join("; ");
  const text = messageBytes(whole) > MESSAGE_BYTES ? cutEnd(whole, SAFE_MESSAGE_CHARACTERS) : whole;
  let left = checkLimits.errorBytes - OTHER_BYTES - messageBytes(text);
  const tooMany = listed.findIndex((violation) => {
    left -= violationBytes(violation);
    return left < 0;
  });
  const fieldViolations = tooMany < 0 ? listed : listed.slice(0, tooMany);
  return { message: text + more(violations.length, named.length, fieldViolations.length), fieldViolations };
}

function more(all: number, named: number, listed: number): string {
  if (all <= named) {
    return "";
  }
  // The check stopped looking at this many.
  const atLeast = all >= checkLimits.problemsNoted ? "at least " : "";
  const first = listed < all ? `, of which the details list the first ${listed} in all` : "";
  return `; and ${atLeast}${all - named} more${first}`;
}

/** gRPC sends the message percent-encoded and, inside the status, in base64. */
function messageBytes(message: string): number {
  const bytes = Buffer.byteLength(message);
  // Bytes outside ASCII become three characters each; most of what JSON escapes needs no more.
  const escaped = bytes + 2 * (message.replace(/[\x20-\x7e]/g, "").length === 0 ? 0 : bytes);
  return Math.max(escaped, jsonBytes(message)) + (4 / 3) * bytes;
}

/** Connect sends details twice: in base64 and as JSON. */
function violationBytes({ field, description }: FieldViolation): number {
  const bytes = Buffer.byteLength(field) + Buffer.byteLength(description);
  return VIOLATION_BYTES + jsonBytes(field) + jsonBytes(description) + (4 / 3) * bytes;
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** A step down in JSON: to a field (its name as sent), a list's element (its index) or a map's value (`[key]`). */
export type PathStep = string | number;

/** Writes a path as `a.b[0].c`. A long one has its middle left out, since its ends say most. */
export function fieldPath(steps: readonly PathStep[]): string {
  let path = "";
  for (const step of steps) {
    if (typeof step === "number") {
      path += `[${step}]`;
    } else {
      // A cut step is still longer than a path may be, so the path is cut at the same place.
      const name = cutMiddle(step, 2 * checkLimits.violationCharacters);
      path += path === "" || name.startsWith("[") ? name : `.${name}`;
    }
  }
  return cutMiddle(path, checkLimits.violationCharacters);
}
