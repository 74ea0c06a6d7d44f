/**
 * The client of a modelscout service, for Node from 20 up and for browsers: the generated services, messages and
 * types, and {@link createModelscoutClient}, which creates a client for each service. It imports nothing that only Node
 * has, so it can be bundled for browsers.
 *
 * ```ts
 * import { createModelscoutClient } from "@modelscout/client";
 *
 * const { recommendation } = createModelscoutClient({ baseUrl: "http://127.0.0.1:8080" });
 * const { results } = await recommendation.recommend({ description: "transcribe meetings", hardware: "cpu" });
 * for (const { model, reasons } of results) console.log(model?.name, reasons);
 * ```
 *
 * @module
 */
import { type Client, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { BatchService } from "../../../gen/modelscout/v1/batch_pb.ts";
import { InterestService } from "../../../gen/modelscout/v1/interest_pb.ts";
import { InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { WebhookService } from "../../../gen/modelscout/v1/webhook_pb.ts";

/** A client for each service, over one transport. */
export interface ModelscoutClient {
  /** Recommends models for a need. */
  readonly recommendation: Client<typeof RecommendationService>;
  /** Lists models and estimates what they need to run. */
  readonly inventory: Client<typeof InventoryService>;
  /** Pro: watches for new models. A stream of matches is an async iterable. */
  readonly interest: Client<typeof InterestService>;
  /** Pro: sends events to endpoints. */
  readonly webhook: Client<typeof WebhookService>;
  /** Pro: answers thousands of needs in the background. */
  readonly batch: Client<typeof BatchService>;
}

/** Where the service is, or how to reach it. */
export type ModelscoutClientOptions = ConnectionOptions | TransportOptions;

/** Reaches the service by the Connect protocol over `fetch`. */
export interface ConnectionOptions {
  /** The service's address, such as `https://models.example.com`. Default: `http://127.0.0.1:8080`. */
  baseUrl?: string;
  /** The API key. Default: none, so calls are on the Free tier. */
  apiKey?: string;
  /** Used instead of the global `fetch`; for proxies and tests. */
  fetch?: typeof globalThis.fetch;
  transport?: never;
}

/** Reaches the service by your own transport. */
export interface TransportOptions {
  /** Any transport of Connect. Its interceptors send the key: see {@link apiKeyInterceptor}. */
  transport: Transport;
  baseUrl?: never;
  apiKey?: never;
  fetch?: never;
}

/**
 * Creates a client for each service. Nothing is sent until a method is called.
 *
 * ```ts
 * const { inventory } = createModelscoutClient({ baseUrl: "https://models.example.com", apiKey });
 * const model = await inventory.getModel({ modelName: "openai/whisper-large-v3" });
 * ```
 *
 * A failed call throws a `ConnectError`, which has the error's reason as a detail:
 *
 * ```ts
 * import { Code, ConnectError, ErrorInfoSchema } from "@modelscout/client";
 *
 * try {
 *   await inventory.getModel({ modelName: "nobody/nothing" });
 * } catch (thrown) {
 *   const error = ConnectError.from(thrown);
 *   if (error.code === Code.NotFound) console.log(error.findDetails(ErrorInfoSchema)[0]?.reason);
 * }
 * ```
 */
export function createModelscoutClient(options: ModelscoutClientOptions = {}): ModelscoutClient {
  const transport = options.transport ?? connectTransport(options);
  return {
    recommendation: createClient(RecommendationService, transport),
    inventory: createClient(InventoryService, transport),
    interest: createClient(InterestService, transport),
    webhook: createClient(WebhookService, transport),
    batch: createClient(BatchService, transport),
  };
}

/**
 * Sends an API key with every call, as `X-API-Key`. For your own transport:
 *
 * ```ts
 * import { createGrpcTransport } from "@connectrpc/connect-node";
 *
 * const transport = createGrpcTransport({ baseUrl, interceptors: [apiKeyInterceptor(apiKey)] });
 * const client = createModelscoutClient({ transport });
 * ```
 */
export function apiKeyInterceptor(apiKey: string): Interceptor {
  return (next) => (request) => {
    request.header.set("X-API-Key", apiKey);
    return next(request);
  };
}

function connectTransport({ baseUrl = "http://127.0.0.1:8080", apiKey, fetch }: ConnectionOptions): Transport {
  return createConnectTransport({
    baseUrl,
    interceptors: apiKey === undefined ? [] : [apiKeyInterceptor(apiKey)],
    ...(fetch !== undefined && { fetch }),
  });
}

// The types of errors. Imported from here, they are those that the clients throw, whichever copy of Connect you have.
export { Code, ConnectError } from "@connectrpc/connect";
export {
  type BadRequest,
  BadRequestSchema,
  type ErrorInfo,
  ErrorInfoSchema,
  type ResourceInfo,
  ResourceInfoSchema,
  type RetryInfo,
  RetryInfoSchema,
} from "../../../gen/google/rpc/error_details_pb.ts";

// The contract: messages, their schemas, and the services.
export * from "../../../gen/modelscout/v1/admin_pb.ts";
export * from "../../../gen/modelscout/v1/batch_pb.ts";
export * from "../../../gen/modelscout/v1/interest_pb.ts";
export * from "../../../gen/modelscout/v1/inventory_pb.ts";
export * from "../../../gen/modelscout/v1/model_pb.ts";
export * from "../../../gen/modelscout/v1/recommendation_pb.ts";
export * from "../../../gen/modelscout/v1/stream_pb.ts";
export * from "../../../gen/modelscout/v1/webhook_pb.ts";
