import type { ConnectRouter } from "@connectrpc/connect";
import { ServerReflection } from "../../gen/grpc/reflection/v1/reflection_pb.ts";
import { ServerReflection as ServerReflectionAlpha } from "../../gen/grpc/reflection/v1alpha/reflection_pb.ts";
import { Health } from "../../gen/health/v1/health_pb.ts";
import { AdminService } from "../../gen/modelscout/v1/admin_pb.ts";
import { BatchService } from "../../gen/modelscout/v1/batch_pb.ts";
import { InterestService } from "../../gen/modelscout/v1/interest_pb.ts";
import { InventoryService } from "../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService } from "../../gen/modelscout/v1/recommendation_pb.ts";
import { WebhookService } from "../../gen/modelscout/v1/webhook_pb.ts";
import type { Access } from "../access/index.ts";
import type { Batches } from "../batches/index.ts";
import type { Interests, Matches } from "../interests/index.ts";
import type { Inventory } from "../inventory/index.ts";
import type { ReadNeed } from "../recommend/index.ts";
import type { Signals } from "../store/index.ts";
import type { Webhooks } from "../webhooks/index.ts";
import { adminService, type SyncNamed } from "./admin-service.ts";
import { batchService } from "./batches/batch-service.ts";
import type { Readiness, Ready } from "./call/ready.ts";
import { StreamPlaces } from "./call/streams.ts";
import { healthService, ReadinessWatch } from "./health-service.ts";
import { interestService } from "./interests/interest-service.ts";
import { inventoryService } from "./inventory/inventory-service.ts";
import { recommendationService } from "./recommendation/recommendation-service.ts";
import { reflectionAlphaService, reflectionService } from "./reflection-service.ts";
import { webhookService } from "./webhooks/webhook-service.ts";

/** The parts of the state that the services use. */
export interface ServiceState {
  store: { signals: Signals };
  access: Access;
  interests: Interests;
  matches: Matches;
  webhooks: Webhooks;
  batches: Batches;
}

/** Dependencies of the services. */
export interface ServiceRoutesOptions {
  state: Ready<ServiceState>;
  inventory: Pick<Ready<Inventory>, "get">;
  sync: SyncNamed;
  /** Reads single needs; undefined for the built-in reading. */
  readNeed: ReadNeed | undefined;
  /** Streams an owner may have open on this replica. */
  streamsPerOwner: number;
  readiness: Readiness;
  /** Aborts when the service shuts down. */
  shutdownSignal: AbortSignal;
}

/** All services, for every protocol. */
export function serviceRoutes({
  state,
  inventory,
  sync,
  readNeed,
  streamsPerOwner,
  readiness,
  shutdownSignal,
}: ServiceRoutesOptions): (router: ConnectRouter) => void {
  // Created here, because the returned function is called once for each protocol plugin.
  const streams = new StreamPlaces(streamsPerOwner);
  const readinessWatch = new ReadinessWatch(readiness);
  const access = state.within("access");
  const interests = state.within("interests");
  const matches = state.within("matches");
  const webhooks = state.within("webhooks");
  const batches = state.within("batches");
  const signals = () => state.get().store.signals;
  return (router) => {
    const services = () => [...new Set(router.handlers.map(({ method }) => method.parent))];
    router.service(RecommendationService, recommendationService(inventory, readNeed));
    router.service(InventoryService, inventoryService(inventory));
    const following = { signals, streams, shutdownSignal };
    router.service(InterestService, interestService({ inventory, interests, matches, ...following }));
    router.service(WebhookService, webhookService(webhooks));
    router.service(BatchService, batchService({ batches, ...following }));
    router.service(AdminService, adminService({ access, sync }));
    router.service(Health, healthService({ readiness, readinessWatch, services, shutdownSignal }));
    router.service(ServerReflection, reflectionService(services));
    router.service(ServerReflectionAlpha, reflectionAlphaService(services));
  };
}
