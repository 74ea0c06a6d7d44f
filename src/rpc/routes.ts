import type { ConnectRouter } from "@connectrpc/connect";
import { ServerReflection } from "../../gen/grpc/reflection/v1/reflection_pb.ts";
import { ServerReflection as ServerReflectionAlpha } from "../../gen/grpc/reflection/v1alpha/reflection_pb.ts";
import { Health } from "../../gen/health/v1/health_pb.ts";
import { AdminService } from "../../gen/modelscout/v1/admin_pb.ts";
import { InventoryService } from "../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService } from "../../gen/modelscout/v1/recommendation_pb.ts";
import type { Access } from "../access/access.ts";
import type { Inventory } from "../inventory/inventory.ts";
import { adminService, type SyncNamed } from "./admin-service.ts";
import { healthService } from "./health-service.ts";
import { inventoryService } from "./inventory-service.ts";
import type { Readiness } from "./readiness.ts";
import type { Ready } from "./ready.ts";
import { recommendationService } from "./recommendation-service.ts";
import { reflectionAlphaService, reflectionService } from "./reflection/reflection-service.ts";

/** What the services stand on. */
export interface ServiceRoutesOptions {
  inventory: Pick<Ready<Inventory>, "get">;
  access: Pick<Ready<Access>, "get">;
  sync: SyncNamed;
  readiness: Readiness;
  /** Aborts when the service shuts down. */
  shutdownSignal: AbortSignal;
}

/** All services, for every protocol. */
export function serviceRoutes({
  inventory,
  access,
  sync,
  readiness,
  shutdownSignal,
}: ServiceRoutesOptions): (router: ConnectRouter) => void {
  return (router) => {
    const services = () => [...new Set(router.handlers.map(({ method }) => method.parent))];
    router.service(RecommendationService, recommendationService({ inventory, quota: access }));
    router.service(InventoryService, inventoryService(inventory));
    router.service(AdminService, adminService({ access, sync }));
    router.service(Health, healthService({ readiness, services, shutdownSignal }));
    router.service(ServerReflection, reflectionService(services));
    router.service(ServerReflectionAlpha, reflectionAlphaService(services));
  };
}
