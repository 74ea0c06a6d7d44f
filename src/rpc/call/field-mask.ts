import { type DescField, type DescMessage, getOption } from "@bufbuild/protobuf";
import { FieldBehavior, field_behavior as fieldBehavior } from "../../../gen/google/api/field_behavior_pb.ts";
import type { FieldViolation } from "../../error.ts";
import { didYouMean } from "../../text/index.ts";

/** Unknown paths in a violation, at most. */
const MOST_SHOWN = 5;
const MOST_CHARS = 60;

/** The fields that callers may change: all but output only ones. */
function editableFields(resource: DescMessage): DescField[] {
  return resource.fields.filter((field) => !getOption(field, fieldBehavior).includes(FieldBehavior.OUTPUT_ONLY));
}

/**
 * The paths of an update mask that name no field of the resource, as a violation. Output only fields are allowed: a
 * resource that is sent back as it was read changes nothing. So are the fields of a message in the resource, such as
 * `device.gpu_name`.
 */
export function maskViolations(resource: DescMessage, paths: readonly string[]): FieldViolation[] {
  const known = new Set(["*", ...resource.fields.flatMap((field) => [field.name, ...innerPaths(field)])]);
  const unknown = paths.filter((path) => !known.has(path)).slice(0, MOST_SHOWN);
  if (unknown.length === 0) {
    return [];
  }
  const editable = editableFields(resource).map(({ name }) => name);
  const shown = unknown.map(
    (path) => JSON.stringify(path.slice(0, MOST_CHARS)) + didYouMean(path, editable, { isListed: true }),
  );
  const title = resource.name.toLowerCase();
  const article = /^[aeiou]/.test(title) ? "an" : "a";
  const description = `has ${shown.join(", ")}; the fields of ${article} ${title} are ${editable.join(", ")}`;
  return [{ field: "update_mask", description }];
}

/**
 * The fields that an update changes, by their names in messages, with their new values. A mask lists these fields; the
 * mask `*` means all fields. Without a mask, they are the fields that are sent and not empty. A field in the mask that
 * is not sent gets the value that unsets it. Output only fields are left out.
 *
 * @param stored the resource before the update. If the mask names some fields of a message, such as `device.gpu_name`,
 * the other fields of this message keep their stored values. Without `stored`, such a message is left out.
 */
export function changedFields<Sent extends object>(
  resource: DescMessage,
  sent: Sent,
  paths: readonly string[],
  stored?: { readonly [Field in keyof Sent]?: unknown },
): Partial<Sent> {
  const isChanged = ({ name, localName }: DescField) =>
    paths.length === 0 ? isSent(sent[localName as keyof Sent]) : paths.some((path) => path === "*" || path === name);
  const changed = editableFields(resource).flatMap((field): Array<[PropertyKey, unknown]> => {
    const name = field.localName as keyof Sent;
    if (isChanged(field)) {
      return [[name, sent[name]]];
    }
    const inner = field.message?.fields.filter((each) => paths.includes(`${field.name}.${each.name}`)) ?? [];
    return stored === undefined || inner.length === 0 ? [] : [[name, mergedMessage(inner, sent[name], stored[name])]];
  });
  return Object.fromEntries(changed) as Partial<Sent>;
}

/** The stored message with the sent values of some fields; undefined if no field of it is left. */
function mergedMessage(fields: readonly DescField[], sent: unknown, stored: unknown): object | undefined {
  const merged: Record<string, unknown> = { ...(stored as object | undefined) };
  for (const { localName } of fields) {
    merged[localName] = (sent as Record<string, unknown> | undefined)?.[localName];
  }
  return Object.values(merged).some((value) => value !== undefined) ? merged : undefined;
}

/** The paths of a message's fields, such as `device.gpu_name`. */
function innerPaths({ name, message }: DescField): string[] {
  return message === undefined ? [] : message.fields.map((inner) => `${name}.${inner.name}`);
}

function isSent(value: unknown): boolean {
  return value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
}
