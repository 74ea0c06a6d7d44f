/**
 * The client of a modelscout service, for browsers and for Node from 20 up: {@link createModelscoutClient} creates it,
 * {@link paginate} reads lists to their end, {@link follow} reads streams across broken connections, and
 * {@link ModelscoutError} is what failed calls throw. Webhooks are verified by `@modelscout/client/webhooks`.
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
export { type CallOptions, Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
export { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
// The contract: messages, their schemas, and the services.
export * from "../../../gen/modelscout/v1/admin_pb.ts";
export * from "../../../gen/modelscout/v1/batch_pb.ts";
export * from "../../../gen/modelscout/v1/interest_pb.ts";
export * from "../../../gen/modelscout/v1/inventory_pb.ts";
export * from "../../../gen/modelscout/v1/model_pb.ts";
export * from "../../../gen/modelscout/v1/recommendation_pb.ts";
export * from "../../../gen/modelscout/v1/stream_pb.ts";
export * from "../../../gen/modelscout/v1/webhook_pb.ts";
export {
  createModelscoutClient,
  createServiceClient,
  type ModelscoutClient,
  type ModelscoutClientOptions,
} from "./client.ts";
export { type FieldViolation, ModelscoutError } from "./error.ts";
export { type FollowOptions, follow } from "./follow.ts";
export { paginate } from "./paginate.ts";
export type { RetryOptions } from "./retry.ts";
