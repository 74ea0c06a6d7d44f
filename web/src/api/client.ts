import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { CallOptions } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { computed } from "@preact/signals";
import {
  apiKeyInterceptor,
  createModelscoutClient,
  type ModelscoutClient,
} from "../../../packages/client/src/index.ts";
import { apiKey, protocol } from "../state/settings.ts";
import type { Call } from "./calls.ts";
import { quotaInterceptor } from "./quota.ts";

/** The generated client, with the protocol and the key that the visitor chose. */
export const client = computed(() => {
  const createTransport = protocol.value === "grpc-web" ? createGrpcWebTransport : createConnectTransport;
  const interceptors = [quotaInterceptor];
  if (apiKey.value !== "") {
    interceptors.push(apiKeyInterceptor(apiKey.value));
  }
  return createModelscoutClient({ transport: createTransport({ baseUrl: location.origin, interceptors }) });
});

/**
 * Makes a call with the client's method for it.
 *
 * @throws ConnectError if the service refuses it or cannot be reached.
 */
export function makeCall<I extends DescMessage, O extends DescMessage>(
  { method, request }: Call<I, O>,
  options?: CallOptions,
): Promise<MessageShape<O>> {
  const service = serviceClient(client.value, method.parent.name);
  return service[method.localName]?.(request, options) as Promise<MessageShape<O>>;
}

type AnyClient = Record<string, ((request: unknown, options?: CallOptions) => Promise<unknown>) | undefined>;

/** The client of a service, such as `recommendation` for RecommendationService. */
function serviceClient(clients: ModelscoutClient, service: string): AnyClient {
  const name = service.replace(/Service$/, "");
  return clients[(name.charAt(0).toLowerCase() + name.slice(1)) as keyof ModelscoutClient] as unknown as AnyClient;
}
