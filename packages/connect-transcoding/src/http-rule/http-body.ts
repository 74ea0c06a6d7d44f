import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";

const TYPE_NAME = "google.api.HttpBody";

/** Content of a google.api.HttpBody. */
export interface HttpBodyContent {
  readonly contentType: string;
  readonly data: Uint8Array;
}

/** Whether a message type is google.api.HttpBody, whichever schema it was loaded from. */
export function isHttpBody(desc: DescMessage | undefined): boolean {
  return desc?.typeName === TYPE_NAME;
}

/** Reads a google.api.HttpBody of the given type. */
export function readHttpBody(desc: DescMessage, message: Message): HttpBodyContent {
  const body = reflect(desc, message);
  return {
    contentType: body.get(desc.field.contentType!) as string,
    data: body.get(desc.field.data!) as Uint8Array,
  };
}

/** Makes a google.api.HttpBody of the given type. */
export function createHttpBody(desc: DescMessage, content: HttpBodyContent): Message {
  const message = create(desc);
  const body = reflect(desc, message);
  body.set(desc.field.contentType!, content.contentType);
  body.set(desc.field.data!, content.data);
  return message;
}
