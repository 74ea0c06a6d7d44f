import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { type ConnectRouter, type ContextValues, createHandlerContext, type HandlerContext } from "@connectrpc/connect";
import { InventoryService } from "../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService } from "../../gen/modelscout/v1/recommendation_pb.ts";
import type { Inventory } from "../inventory/index.ts";
import type { ReadNeed } from "../recommend/index.ts";
import { callValues, inventoryService, recommendationService, type ServiceCaller } from "../rpc/index.ts";

/** The user of the command line: sees everything and is never counted, because the inventory is theirs anyway. */
const localCaller: ServiceCaller = {
  tier: "pro",
  ownerId: undefined,
  isValid: async () => true,
  usage: async () => ({ tier: "pro", used: 0, resetMs: 0 }),
  takeUnit: async () => {},
  limitHeaders: async () => ({}),
};

/** The API's services over an inventory in this process. Without `readNeed`, needs get the built-in reading. */
export function localServices(inventory: Inventory, readNeed?: ReadNeed) {
  const ready = { get: () => inventory };
  return {
    recommendation: recommendationService(ready, readNeed),
    inventory: inventoryService(ready),
  };
}

/** Registers these services. @param get the inventory, which a call needs and a registration does not. */
export function localRoutes(get: () => Inventory, readNeed?: ReadNeed): (router: ConnectRouter) => void {
  return (router) => {
    router.service(RecommendationService, recommendationService({ get }, readNeed));
    router.service(InventoryService, inventoryService({ get }));
  };
}

/** The context values of a call in this process. */
export function localValues(): ContextValues {
  return callValues({ requestId: "local", caller: localCaller });
}

type Implementation<I extends DescMessage, O extends DescMessage> = (
  request: MessageShape<I>,
  context: HandlerContext,
) => Promise<MessageInitShape<O>> | MessageInitShape<O>;

/**
 * Calls a method of a service in this process, without a server, so that the command line and the API give the same
 * answers.
 *
 * @throws errors of the implementation, such as ServiceError.
 */
export async function callService<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  implementation: Implementation<I, O>,
  request: MessageInitShape<I>,
): Promise<MessageShape<O>> {
  const context = createHandlerContext({
    service: method.parent,
    method,
    protocolName: "local",
    requestMethod: "POST",
    url: `local:${method.name}`,
    contextValues: localValues(),
  });
  return create(method.output, await implementation(create(method.input, request), context));
}
