import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { createContextValues, createHandlerContext, type HandlerContext } from "@connectrpc/connect";
import type { Inventory } from "../inventory/index.ts";
import { callerKey, inventoryService, type Quota, recommendationService } from "../rpc/index.ts";

/** The command line is never counted: whoever runs it has the inventory anyway. */
const uncounted: Quota = {
  reserve: async () => ({ resetMs: 0, giveBack: async () => {} }),
  usage: async ({ tier }) => ({ tier, used: 0, resetMs: 0 }),
};

/** The API's services over an inventory in this process. */
export function localServices(inventory: Inventory) {
  const ready = { get: () => inventory };
  return {
    recommendation: recommendationService({ inventory: ready, quota: { get: () => uncounted } }),
    inventory: inventoryService(ready),
  };
}

type Implementation<I extends DescMessage, O extends DescMessage> = (
  request: MessageShape<I>,
  context: HandlerContext,
) => Promise<MessageInitShape<O>> | MessageInitShape<O>;

/**
 * Calls a method of a service in this process, without a server, so that the command line and the API give one answer.
 *
 * @throws what the implementation throws, such as ServiceError.
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
    // Whoever runs the command sees all there is.
    contextValues: createContextValues().set(callerKey, { tier: "pro", subject: "local" }),
  });
  return create(method.output, await implementation(create(method.input, request), context));
}
