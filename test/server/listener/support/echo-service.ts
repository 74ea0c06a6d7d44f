import { create, createFileRegistry } from "@bufbuild/protobuf";
import type { GenService } from "@bufbuild/protobuf/codegenv2";
import {
  FileDescriptorProtoSchema,
  file_google_protobuf_wrappers,
  type StringValueSchema,
} from "@bufbuild/protobuf/wkt";

/** A service of one string in and out: Say once, Stream (server streaming), Collect (client), Chat (both ways). */
type EchoServiceShape = GenService<{
  say: { methodKind: "unary"; input: typeof StringValueSchema; output: typeof StringValueSchema };
  stream: { methodKind: "server_streaming"; input: typeof StringValueSchema; output: typeof StringValueSchema };
  collect: { methodKind: "client_streaming"; input: typeof StringValueSchema; output: typeof StringValueSchema };
  chat: { methodKind: "bidi_streaming"; input: typeof StringValueSchema; output: typeof StringValueSchema };
}>;

const TYPE = ".google.protobuf.StringValue";

const file = create(FileDescriptorProtoSchema, {
  name: "test/echo.proto",
  package: "test",
  syntax: "proto3",
  dependency: ["google/protobuf/wrappers.proto"],
  service: [
    {
      name: "EchoService",
      method: [
        { name: "Say", inputType: TYPE, outputType: TYPE },
        { name: "Stream", inputType: TYPE, outputType: TYPE, serverStreaming: true },
        { name: "Collect", inputType: TYPE, outputType: TYPE, clientStreaming: true },
        { name: "Chat", inputType: TYPE, outputType: TYPE, clientStreaming: true, serverStreaming: true },
      ],
    },
  ],
});

const registry = createFileRegistry(file, (name) =>
  name === "google/protobuf/wrappers.proto" ? file_google_protobuf_wrappers : undefined,
);

export const EchoService = registry.getService("test.EchoService") as unknown as EchoServiceShape;
