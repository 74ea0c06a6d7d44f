import type { DescService } from "@bufbuild/protobuf";
import { type CallOptions, type Client, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { BatchService } from "../../../gen/modelscout/v1/batch_pb.ts";
import { InterestService } from "../../../gen/modelscout/v1/interest_pb.ts";
import { InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { WebhookService } from "../../../gen/modelscout/v1/webhook_pb.ts";
import { linkedAbort, modelscoutTransport } from "./calls.ts";
import { checkAtLeast, checkRetryOptions, type RetryOptions } from "./retry.ts";

/** A client for each service. A method throws only `ModelscoutError`. */
export interface ModelscoutClient {
  /** Recommends models for a need. */
  readonly recommendation: Client<typeof RecommendationService>;
  /** Lists models and estimates what they need to run. */
  readonly inventory: Client<typeof InventoryService>;
  /** Pro: watches for new models. */
  readonly interest: Client<typeof InterestService>;
  /** Pro: sends events to endpoints. */
  readonly webhook: Client<typeof WebhookService>;
  /** Pro: answers thousands of needs in the background. */
  readonly batch: Client<typeof BatchService>;
}

/** Where the service is, and how to call it. */
export interface ModelscoutClientOptions {
  /** The service's address, such as `https://models.example.com`. Default: `http://127.0.0.1:8080`. */
  readonly baseUrl?: string | undefined;
  /** The API key. Default: none, so calls are on the Free tier. */
  readonly apiKey?: string | undefined;
  /**
   * How failed calls are repeated; `false` to try only once. A call is repeated if the service asks for it (RetryInfo),
   * which it does only for calls that it refused before they did anything. After a broken connection, only calls that
   * read, and calls with a `requestId`, are repeated. The client gives calls that create something such an id.
   */
  readonly retry?: RetryOptions | false | undefined;
  /** The time that a call may take with all tries, in milliseconds. Default: any time. Streams have no limit. */
  readonly timeoutMs?: number | undefined;
  /** Used instead of the global `fetch`; for proxies and tests. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** See requests and answers on their way. Each try is a request of its own. */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /**
   * Reaches the service in another way, such as gRPC. It has its own `baseUrl`, `fetch` and `interceptors`; the key and
   * the repetition are still the client's.
   */
  readonly transport?: Transport | undefined;
}

/**
 * Creates a client for each service. Nothing is sent until a method is called.
 *
 * ```ts
 * const { inventory } = createModelscoutClient({ baseUrl: "https://models.example.com", apiKey });
 * try {
 *   await inventory.getModel({ modelName: "nobody/nothing" });
 * } catch (error) {
 *   if (error instanceof ModelscoutError && error.reason === "MODEL_NOT_FOUND") console.log(error.metadata.nearest);
 * }
 * ```
 *
 * @throws TypeError if an option is invalid.
 */
export function createModelscoutClient(options: ModelscoutClientOptions = {}): ModelscoutClient {
  const transport = transportOf(options);
  return {
    recommendation: clientOf(RecommendationService, transport),
    inventory: clientOf(InventoryService, transport),
    interest: clientOf(InterestService, transport),
    webhook: clientOf(WebhookService, transport),
    batch: clientOf(BatchService, transport),
  };
}

/**
 * Creates a client for one service. A page that needs only one has a smaller bundle with this.
 *
 * ```ts
 * const { recommend } = createServiceClient(RecommendationService, { baseUrl: location.origin });
 * ```
 *
 * @throws TypeError if an option is invalid.
 */
export function createServiceClient<Service extends DescService>(
  service: Service,
  options: ModelscoutClientOptions = {},
): Client<Service> {
  return clientOf(service, transportOf(options));
}

/** A client whose streams end when a loop over their messages ends. Connect leaves the connection open then. */
function clientOf<Service extends DescService>(service: Service, transport: Transport): Client<Service> {
  const client: Record<string, unknown> = createClient(service, transport);
  for (const { localName, methodKind } of service.methods) {
    if (methodKind === "server_streaming") {
      const open = client[localName] as StreamMethod;
      client[localName] = async function* (request: unknown, options?: CallOptions) {
        const { controller, end } = linkedAbort(options?.signal);
        try {
          yield* open(request, { ...options, signal: controller.signal });
        } finally {
          end();
        }
      };
    }
  }
  return client as Client<Service>;
}

type StreamMethod = (request: unknown, options: CallOptions) => AsyncIterable<unknown>;

function transportOf(options: ModelscoutClientOptions): Transport {
  const { baseUrl = "http://127.0.0.1:8080", apiKey, retry = {}, timeoutMs, fetch, interceptors = [] } = options;
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) {
    // An address with "@" may have a password, so the message does not repeat it.
    const given = baseUrl.includes("@") ? "" : `, and is ${JSON.stringify(baseUrl)}`;
    throw new TypeError(`baseUrl must be an address such as https://models.example.com${given}`);
  }
  checkAtLeast("timeoutMs", timeoutMs, 0);
  if (retry !== false) {
    checkRetryOptions(retry);
  }
  const transport =
    options.transport ??
    createConnectTransport({ baseUrl, interceptors: [...interceptors], ...(fetch !== undefined && { fetch }) });
  return modelscoutTransport(transport, { apiKey, timeoutMs, retry: retry === false ? undefined : retry });
}
