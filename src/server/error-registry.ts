import { createRegistry, type Registry } from "@bufbuild/protobuf";
import { file_google_rpc_error_details } from "../../gen/google/rpc/error_details_pb.ts";
import { file_google_rpc_status } from "../../gen/google/rpc/status_pb.ts";

/** The types that error details, and Any fields of our messages, may have. */
export const errorRegistry: Registry = createRegistry(file_google_rpc_error_details, file_google_rpc_status);
