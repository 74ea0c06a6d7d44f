import type { DescField, DescMessage } from "@bufbuild/protobuf";

const cache = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>();

/** The fields of a message by their proto name and by their JSON name. */
export function messageFields(desc: DescMessage): ReadonlyMap<string, DescField> {
  let fields = cache.get(desc);
  if (fields === undefined) {
    const map = new Map<string, DescField>();
    for (const field of desc.fields) {
      map.set(field.name, field).set(field.jsonName, field);
    }
    fields = map;
    cache.set(desc, fields);
  }
  return fields;
}
