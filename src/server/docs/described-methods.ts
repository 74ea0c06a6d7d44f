import { readFileSync } from "node:fs";
import { createFileRegistry, type DescMethod, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { type ConnectRouter, createConnectRouter } from "@connectrpc/connect";

/**
 * The methods that are served, of descriptors that have the comments of the contract: those of the generated code have
 * none.
 */
export function describedMethods(routes: (router: ConnectRouter) => void): DescMethod[] {
  const file = new URL("../../../gen/modelscout.binpb", import.meta.url);
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(file)));
  const router = createConnectRouter();
  routes(router);
  return router.handlers.flatMap(({ method }) => {
    const service = registry.getService(method.parent.typeName);
    return service?.methods.filter(({ name }) => name === method.name) ?? [];
  });
}
