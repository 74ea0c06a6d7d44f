import { create } from "@bufbuild/protobuf";
import { type Any, anyPack } from "@bufbuild/protobuf/wkt";
import type { Code, ConnectError } from "@connectrpc/connect";
import { type Status, StatusSchema } from "../../gen/google/rpc/status_pb.ts";

/** An error as a value of an answer. */
export function statusMessage(error: ConnectError): Status {
  const details = error.details.map(
    (detail): Any =>
      "desc" in detail
        ? anyPack(detail.desc, create(detail.desc, detail.value))
        : { $typeName: "google.protobuf.Any", typeUrl: `type.googleapis.com/${detail.type}`, value: detail.value },
  );
  return create(StatusSchema, { code: error.code satisfies Code, message: error.rawMessage, details });
}
