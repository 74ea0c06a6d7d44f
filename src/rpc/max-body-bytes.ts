import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { max_body_bytes as maxBodyBytesOption } from "../../gen/modelscout/v1/options_pb.ts";

/** Largest request body of most methods in bytes, after decompression. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Largest request body of a method in bytes, after decompression; of one message for client streams. */
export function maxBodyBytes(method: DescMethod): number {
  return hasOwnLimit(method) ? getOption(method, maxBodyBytesOption) : MAX_BODY_BYTES;
}

/** Whether the contract tells a limit for a method alone. */
export function hasOwnLimit(method: DescMethod): boolean {
  return hasOption(method, maxBodyBytesOption);
}
