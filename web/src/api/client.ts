import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { computed } from "@preact/signals";
import { apiKeyInterceptor, createModelscoutClient } from "../../../src/client.ts";
import { apiKey, protocol } from "../state/settings.ts";
import { quotaInterceptor } from "./quota.ts";

/** The generated client, over the protocol and with the key that the visitor chose. */
export const client = computed(() => {
  const createTransport = protocol.value === "grpc-web" ? createGrpcWebTransport : createConnectTransport;
  const interceptors = [quotaInterceptor];
  if (apiKey.value !== "") {
    interceptors.push(apiKeyInterceptor(apiKey.value));
  }
  return createModelscoutClient({ transport: createTransport({ baseUrl: location.origin, interceptors }) });
});
