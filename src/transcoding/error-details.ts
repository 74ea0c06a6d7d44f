import {
  create,
  createRegistry,
  fromBinary,
  type JsonObject,
  type JsonWriteOptions,
  type Registry,
  toJson,
} from "@bufbuild/protobuf";
import { hasCustomJsonRepresentation } from "@bufbuild/protobuf/wkt";
import type { ConnectError } from "@connectrpc/connect";
import { file_google_rpc_error_details } from "./google-api.ts";

const STANDARD = createRegistry(file_google_rpc_error_details);

/**
 * The details of an error in the JSON form of google.protobuf.Any. Types are looked up in the registry, then among
 * those of google/rpc/error_details.proto; a detail of another type is sent as base64 in "value".
 */
export function errorDetails(
  error: ConnectError,
  registry: Registry | undefined,
  jsonOptions: Partial<JsonWriteOptions> = {},
): JsonObject[] {
  return error.details.map((detail) => {
    const isOutgoing = "desc" in detail;
    const typeName = isOutgoing ? detail.desc.typeName : detail.type;
    const head = { "@type": `type.googleapis.com/${typeName}` };
    const desc = isOutgoing ? detail.desc : (registry?.getMessage(typeName) ?? STANDARD.getMessage(typeName));
    if (desc === undefined) {
      return { ...head, value: "value" in detail ? Buffer.from(detail.value as Uint8Array).toString("base64") : "" };
    }
    try {
      const message = isOutgoing ? create(desc, detail.value) : fromBinary(desc, detail.value);
      const json = toJson(desc, message, registry === undefined ? jsonOptions : { ...jsonOptions, registry });
      return hasCustomJsonRepresentation(desc) ? { ...head, value: json } : { ...head, ...(json as JsonObject) };
    } catch {
      // A detail that cannot be written must not hide the error itself; its type still tells something.
      return head;
    }
  });
}
