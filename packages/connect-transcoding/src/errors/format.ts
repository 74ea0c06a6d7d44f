import {
  create,
  createRegistry,
  type DescMethod,
  fromBinary,
  type JsonObject,
  type JsonValue,
  type JsonWriteOptions,
  type Registry,
  toJson,
} from "@bufbuild/protobuf";
import { hasCustomJsonRepresentation } from "@bufbuild/protobuf/wkt";
import type { ConnectError } from "@connectrpc/connect";
import { file_google_rpc_error_details } from "../google-api.ts";

/** What an error formatter knows besides the error. */
export interface ErrorContext<Request = unknown> {
  /** The status that is sent unless the formatter returns another: the code's own, or 404, 405, 413, 415. */
  readonly status: number;
  /**
   * Whether the error ends a stream, so that the status was sent before. The body then becomes a line of the stream, or
   * the data of an SSE event.
   */
  readonly inStream: boolean;
  /** Undefined if the request did not get as far as a method. */
  readonly method: DescMethod | undefined;
  /** Of the server: Fastify's, or that of Fetch. */
  readonly request: Request;
  /** Types that error details may have. */
  readonly registry: Registry | undefined;
}

/** An error as it is sent. */
export interface FormattedError {
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: JsonValue;
}

/** Decides the form of error bodies. */
export type ErrorFormatter<Request = unknown> = (error: ConnectError, context: ErrorContext<Request>) => FormattedError;

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
      // A detail that cannot be written must not hide the error itself; its type is still useful.
      return head;
    }
  });
}

/** The default error formatter: google.rpc.Status; in a stream, `{"error": …}` after the results. */
export const formatStatus: ErrorFormatter = (error, { inStream, registry }) => {
  const status = { code: error.code, message: error.rawMessage, details: errorDetails(error, registry) };
  return { body: inStream ? { error: status } : status };
};
