import type { DescMessage } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import type { JsonSchema } from "./document.ts";
import { scalarSchema } from "./scalar-schema.ts";

const known: Readonly<Record<string, JsonSchema>> = {
  "google.protobuf.Timestamp": { type: "string", format: "date-time" },
  "google.protobuf.Duration": { type: "string", pattern: "^-?[0-9]+(\\.[0-9]{1,9})?s$" },
  "google.protobuf.FieldMask": { type: "string" },
  "google.protobuf.Struct": { type: "object" },
  "google.protobuf.Value": {},
  "google.protobuf.ListValue": { type: "array" },
  "google.protobuf.Empty": { type: "object" },
  "google.protobuf.Any": { type: "object", properties: { "@type": { type: "string" } }, required: ["@type"] },
};

/** The schema of a message that ProtoJSON has a form of its own for; undefined for every other. */
export function wellKnownSchema(desc: DescMessage): JsonSchema | undefined {
  const scalar = isWrapperDesc(desc) ? desc.fields[0]?.scalar : undefined;
  const schema = scalar === undefined ? known[desc.typeName] : scalarSchema(scalar);
  return schema && { ...schema };
}
