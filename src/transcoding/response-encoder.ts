import { fromBinary, type JsonValue, type Message, toJson } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import type { Binding } from "./binding.ts";
import { fieldToJson, type ResponseJsonOptions } from "./field-to-json.ts";
import { isHttpBody, readHttpBody } from "./http-body.ts";

/** A response message as it is sent. */
export interface EncodedResponse {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Undefined if the handler wrote JSON and nobody had to look inside. */
  readonly message: Message | undefined;
}

/** Turns what a handler wrote into what the client gets. */
export interface ResponseEncoder {
  readonly encode: (message: Uint8Array) => EncodedResponse;
  /** Whether the response is the content of a google.api.HttpBody and no JSON. */
  readonly isRaw: boolean;
}

const JSON_TYPE = "application/json";

/** Whether a response of the binding has to be decoded, so that handlers are to write the binary format. */
export function needsDecoding(binding: Binding): boolean {
  return binding.responseField !== undefined || isHttpBody(binding.method.output);
}

/** Compiles the encoder for responses in the codec. */
export function responseEncoder(
  binding: Binding,
  codec: "json" | "proto",
  jsonOptions: ResponseJsonOptions,
): ResponseEncoder {
  const { output } = binding.method;
  const field = binding.responseField;
  if (codec === "json") {
    return { encode: (bytes) => ({ contentType: JSON_TYPE, bytes, message: undefined }), isRaw: false };
  }
  const bodyDesc = field === undefined ? output : field.fieldKind === "message" ? field.message : undefined;
  if (bodyDesc !== undefined && isHttpBody(bodyDesc)) {
    const encode = (bytes: Uint8Array): EncodedResponse => {
      const message = fromBinary(output, bytes);
      const body = field === undefined ? message : (reflect(output, message).get(field) as ReflectMessage).message;
      const { contentType, data } = readHttpBody(bodyDesc, body);
      return { contentType: contentType || "application/octet-stream", bytes: data, message };
    };
    return { encode, isRaw: true };
  }
  const toValue = (message: Message): JsonValue =>
    field === undefined ? toJson(output, message, jsonOptions) : fieldToJson(output, message, field, jsonOptions);
  return {
    encode: (bytes) => {
      const message = fromBinary(output, bytes);
      return { contentType: JSON_TYPE, bytes: Buffer.from(JSON.stringify(toValue(message))), message };
    },
    isRaw: false,
  };
}
