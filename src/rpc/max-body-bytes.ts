import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { max_body_bytes as maxBodyBytesOption } from "../../gen/modelscout/v1/options_pb.ts";

/** Largest request body of a method that declares no limit, in bytes after decompression. */
const MAX_BODY_BYTES = 16 * 1024;

/** Largest request body of a method in bytes, after decompression; of one message for client streams. */
export function maxBodyBytes(method: DescMethod): number {
  return hasOption(method, maxBodyBytesOption) ? getOption(method, maxBodyBytesOption) : MAX_BODY_BYTES;
}
