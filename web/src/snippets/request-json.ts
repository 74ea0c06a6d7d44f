import { type JsonObject, toJson } from "@bufbuild/protobuf";
import type { Call } from "../api/call.ts";

/** A call's request in ProtoJSON: by the names of the contract, or in lowerCamelCase. */
export function requestJson({ method, request }: Call, names: "proto" | "camel"): JsonObject {
  return toJson(method.input, request, { useProtoFieldName: names === "proto" }) as JsonObject;
}
