import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { computed } from "@preact/signals";
import {
  type CallOptions,
  createConnectTransport,
  createGrpcWebTransport,
  createModelscoutClient,
  type ModelscoutClient,
} from "../../../packages/client/src/index.ts";
import { apiKey, protocol } from "../state/settings.ts";
import type { Call } from "./calls.ts";
import { quotaInterceptor } from "./quota.ts";

/** The client, with the protocol and the key that the visitor chose. */
export const client = computed(() => {
  const createTransport = protocol.value === "grpc-web" ? createGrpcWebTransport : createConnectTransport;
  return createModelscoutClient({
    transport: createTransport({ baseUrl: location.origin, interceptors: [quotaInterceptor] }),
    apiKey: apiKey.value === "" ? undefined : apiKey.value,
    // The page shows that a call failed and when it is made again (useCall).
    retry: false,
  });
});

/**
 * Makes a call with the client's method for it.
 *
 * @throws ModelscoutError if the service refuses it or cannot be reached.
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
