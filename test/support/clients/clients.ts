import { keyHeader } from "../service/keys.ts";
import { bufCurlClient } from "./buf-curl-client.ts";
import type { Client } from "./client.ts";
import { connectJsonClient } from "./connect-json.ts";
import { grpcJsClient } from "./grpc-js.ts";
import { restClient } from "./rest.ts";
import { transportClients } from "./transports.ts";

/**
 * Every client that is a library, for a service at a URL. They are closed after the file's tests.
 *
 * @param headers what they send with every call; default: the service's key, if it has one.
 */
export function libraryClients(url: string, headers = keyHeader(url)): Client[] {
  return [
    restClient(url, { http2: false, headers }),
    restClient(url, { http2: true, headers }),
    connectJsonClient(url, headers),
    ...transportClients(url, headers),
    grpcJsClient(url, headers),
  ];
}

/** The library clients and `buf curl`, whose calls take some tenths of a second each. */
export function allClients(url: string, headers = keyHeader(url)): Client[] {
  const protocols = ["grpc", "grpcweb", "connect"] as const;
  return [...libraryClients(url, headers), ...protocols.map((protocol) => bufCurlClient(url, protocol, headers))];
}
