/**
 * The client of a modelscout service, for Node from 20 up and for browsers: the generated services, messages and
 * types, and {@link createModelscoutClient}, which creates a client for each service. It imports nothing that only Node
 * has, so it can be bundled for browsers.
 *
 * ```ts
 * import { createModelscoutClient } from "modelscout";
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
import { BatchService } from "../gen/modelscout/v1/batch_pb.ts";
import { InterestService } from "../gen/modelscout/v1/interest_pb.ts";
import { InventoryService } from "../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService } from "../gen/modelscout/v1/recommendation_pb.ts";
import { WebhookService } from "../gen/modelscout/v1/webhook_pb.ts";

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
 * import { Code, ConnectError, ErrorInfoSchema } from "modelscout";
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
} from "../gen/google/rpc/error_details_pb.ts";

// The contract. test/house/package/client.test.ts holds these lists complete.
export {
  AdminService,
  type AuditAct,
  AuditActSchema,
  type CreateKeyRequest,
  CreateKeyRequestSchema,
  type CreateKeyResponse,
  CreateKeyResponseSchema,
  type Key,
  KeySchema,
  type ListAuditRequest,
  ListAuditRequestSchema,
  type ListAuditResponse,
  ListAuditResponseSchema,
  type ListKeysRequest,
  ListKeysRequestSchema,
  type ListKeysResponse,
  ListKeysResponseSchema,
  type RevokeKeyRequest,
  RevokeKeyRequestSchema,
  type RevokeKeyResponse,
  RevokeKeyResponseSchema,
  type SyncSourceRequest,
  SyncSourceRequestSchema,
  type SyncSourceResponse,
  SyncSourceResponseSchema,
} from "../gen/modelscout/v1/admin_pb.ts";
export {
  type Batch,
  type BatchResult,
  BatchResultSchema,
  BatchSchema,
  BatchService,
  type BatchStreamEnd,
  BatchStreamEndSchema,
  type BatchStreamResult,
  BatchStreamResultSchema,
  type CancelBatchRequest,
  CancelBatchRequestSchema,
  type CreateBatchRequest,
  CreateBatchRequestSchema,
  type GetBatchRequest,
  GetBatchRequestSchema,
  type ListBatchesRequest,
  ListBatchesRequestSchema,
  type ListBatchesResponse,
  ListBatchesResponseSchema,
  type ListBatchResultsRequest,
  ListBatchResultsRequestSchema,
  type ListBatchResultsResponse,
  ListBatchResultsResponseSchema,
  type StreamBatchResultsRequest,
  StreamBatchResultsRequestSchema,
  type StreamBatchResultsResponse,
  StreamBatchResultsResponseSchema,
} from "../gen/modelscout/v1/batch_pb.ts";
export {
  type CreateInterestRequest,
  CreateInterestRequestSchema,
  type DeleteInterestRequest,
  DeleteInterestRequestSchema,
  type GetInterestRequest,
  GetInterestRequestSchema,
  type Interest,
  InterestSchema,
  InterestService,
  type ListInterestsRequest,
  ListInterestsRequestSchema,
  type ListInterestsResponse,
  ListInterestsResponseSchema,
  type ListMatchesRequest,
  ListMatchesRequestSchema,
  type ListMatchesResponse,
  ListMatchesResponseSchema,
  type Match,
  MatchSchema,
  type PreviewInterestRequest,
  PreviewInterestRequestSchema,
  type PreviewInterestResponse,
  PreviewInterestResponseSchema,
  type UpdateInterestRequest,
  UpdateInterestRequestSchema,
  type WatchMatchesRequest,
  WatchMatchesRequestSchema,
  type WatchMatchesResponse,
  WatchMatchesResponseSchema,
} from "../gen/modelscout/v1/interest_pb.ts";
export {
  type ComparedBoard,
  ComparedBoardSchema,
  type ComparedEstimate,
  ComparedEstimateSchema,
  type ComparedFigure,
  ComparedFigureSchema,
  type CompareModelsRequest,
  CompareModelsRequestSchema,
  type CompareModelsResponse,
  CompareModelsResponseSchema,
  type DevicePrice,
  DevicePriceSchema,
  type EstimateHardwareRequest,
  EstimateHardwareRequestSchema,
  type FamilyCount,
  FamilyCountSchema,
  type GetModelRequest,
  GetModelRequestSchema,
  type Hardware,
  type HardwareOption,
  HardwareOptionSchema,
  HardwareSchema,
  InventoryService,
  type ListFamiliesRequest,
  ListFamiliesRequestSchema,
  type ListFamiliesResponse,
  ListFamiliesResponseSchema,
  type ListFamilyModelsRequest,
  ListFamilyModelsRequestSchema,
  type ListFamilyModelsResponse,
  ListFamilyModelsResponseSchema,
  type ListTaskModelsRequest,
  ListTaskModelsRequestSchema,
  type ListTaskModelsResponse,
  ListTaskModelsResponseSchema,
  type ListTasksRequest,
  ListTasksRequestSchema,
  type ListTasksResponse,
  ListTasksResponseSchema,
  type ModelDifference,
  ModelDifferenceSchema,
  type PlanHardwareRequest,
  PlanHardwareRequestSchema,
  type PlanHardwareResponse,
  PlanHardwareResponseSchema,
  type SearchModelsRequest,
  SearchModelsRequestSchema,
  type SearchModelsResponse,
  SearchModelsResponseSchema,
  type TaskCount,
  TaskCountSchema,
} from "../gen/modelscout/v1/inventory_pb.ts";
export {
  type Evaluation,
  EvaluationSchema,
  type HardwareEstimate,
  HardwareEstimateSchema,
  type LicenseTerms,
  LicenseTermsSchema,
  type ModelEntry,
  ModelEntrySchema,
  type ModelSource,
  ModelSourceSchema,
  type ModelSummary,
  ModelSummarySchema,
  type ModelVariant,
  ModelVariantSchema,
  type QualitySignals,
  QualitySignalsSchema,
  type RunCommand,
  RunCommandSchema,
  type TokensPerSecond,
  TokensPerSecondSchema,
} from "../gen/modelscout/v1/model_pb.ts";
export {
  type BatchRecommendAnswer,
  BatchRecommendAnswerSchema,
  type BatchRecommendRequest,
  BatchRecommendRequestSchema,
  type BatchRecommendResponse,
  BatchRecommendResponseSchema,
  type GetUsageRequest,
  GetUsageRequestSchema,
  type GetUsageResponse,
  GetUsageResponseSchema,
  type QuickRecommendRequest,
  QuickRecommendRequestSchema,
  type Recommendation,
  RecommendationSchema,
  RecommendationService,
  type RecommendRequest,
  RecommendRequestSchema,
  type RecommendResponse,
  RecommendResponseSchema,
  type Sizing,
  SizingSchema,
  type Understood,
  UnderstoodSchema,
  type UnderstoodTask,
  UnderstoodTaskSchema,
  type Wish,
  WishSchema,
} from "../gen/modelscout/v1/recommendation_pb.ts";
export {
  type StreamClosing,
  StreamClosingSchema,
  type StreamHeartbeat,
  StreamHeartbeatSchema,
} from "../gen/modelscout/v1/stream_pb.ts";
export {
  type CreateWebhookRequest,
  CreateWebhookRequestSchema,
  type DeleteWebhookRequest,
  DeleteWebhookRequestSchema,
  type Delivery,
  type DeliveryAttempt,
  DeliveryAttemptSchema,
  DeliverySchema,
  type GetWebhookRequest,
  GetWebhookRequestSchema,
  type ListDeliveriesRequest,
  ListDeliveriesRequestSchema,
  type ListDeliveriesResponse,
  ListDeliveriesResponseSchema,
  type ListWebhooksRequest,
  ListWebhooksRequestSchema,
  type ListWebhooksResponse,
  ListWebhooksResponseSchema,
  type RedeliverRequest,
  RedeliverRequestSchema,
  type RotateSecretRequest,
  RotateSecretRequestSchema,
  type TestWebhookRequest,
  TestWebhookRequestSchema,
  type UpdateWebhookRequest,
  UpdateWebhookRequestSchema,
  type Webhook,
  WebhookSchema,
  WebhookService,
} from "../gen/modelscout/v1/webhook_pb.ts";
