import type { DescMethod } from "@bufbuild/protobuf";
import { BatchService } from "../../gen/modelscout/v1/batch_pb.ts";
import { checkBatchBody } from "./check-batch-body.ts";

/**
 * Looks at a message before it is decoded, where its size alone does not bound what that takes.
 *
 * @throws ConnectError
 */
export function checkBody(method: DescMethod, bytes: Uint8Array, codec: "json" | "proto"): void {
  if (method === BatchService.method.createBatch) checkBatchBody(bytes, codec);
}
