/**
 * Writes the grpc-message of a trailer with no more escapes than gRPC asks for. Connect escapes punctuation too, and
 * @grpc/grpc-js does not undo that: its callers would read "description%3A is required".
 */
export function plainGrpcMessage(trailer: Headers | undefined): void {
  const escaped = trailer?.get("grpc-message");
  if (trailer === undefined || escaped === undefined || escaped === null) return;
  trailer.set("grpc-message", decodeURIComponent(escaped).replace(mustBeEscaped, encodeURIComponent));
}

/** "Percent-Byte-Unencoded" of the gRPC protocol is printable ASCII without the percent sign. */
const mustBeEscaped = /[^\x20-\x24\x26-\x7e]+/g;
