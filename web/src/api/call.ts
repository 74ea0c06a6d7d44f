import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";

/** A call of the service, as data: it can be made, and shown as curl, gRPC and TypeScript. */
export interface Call<I extends DescMessage = DescMessage, O extends DescMessage = DescMessage> {
  readonly method: DescMethodUnary<I, O>;
  readonly request: MessageShape<I>;
}

/** A call of a method. */
export function createCall<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
): Call<I, O> {
  return { method, request: create(method.input, request) };
}
