import type { DescService } from "@bufbuild/protobuf";
import { readConfig } from "../../../src/config/config.ts";
import { createServer, type ServerOptions } from "../../../src/server/create-server.ts";

/** Makes a server of one service whose start is expected to fail before it needs anything else. */
export function startWith(service: DescService | undefined): ReturnType<typeof createServer> {
  const { config } = readConfig({ LOG_LEVEL: "silent" });
  const unready = {
    get: () => {
      throw new Error("nothing is opened here");
    },
  };
  const options: Partial<ServerOptions> = {
    config,
    routes: (router) => void router.service(service as DescService, {}),
    access: unready,
    shutdownSignal: AbortSignal.abort(),
  };
  return createServer(options as ServerOptions);
}
