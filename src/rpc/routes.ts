import type { ConnectRouter } from "@connectrpc/connect";
import { InventoryService } from "../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService } from "../../gen/modelscout/v1/recommendation_pb.ts";
import { inventoryService } from "./inventory-service.ts";
import { type RecommendationServiceOptions, recommendationService } from "./recommendation-service.ts";

/** All services, for every protocol. */
export function serviceRoutes(options: RecommendationServiceOptions): (router: ConnectRouter) => void {
  return (router) => {
    router.service(RecommendationService, recommendationService(options));
    router.service(InventoryService, inventoryService(options.inventory));
  };
}
