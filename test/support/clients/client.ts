import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";

/** A way to call the service with software that nobody here wrote. */
export interface Client {
  readonly name: string;
  readonly protocol: "rest" | "connect" | "grpc" | "grpc-web";
  /** How its requests spell fields: JSON in lowerCamelCase, or by the names of the contract. */
  readonly spelling: "camel" | "proto";
  /** Calls a method. Throws a ReceivedError if the service answers with an error. */
  call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
  ): Promise<MessageShape<O>>;
}
