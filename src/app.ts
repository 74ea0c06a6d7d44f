import type { AddressInfo } from "node:net";
import { Usage } from "./access/usage.ts";
import type { Config } from "./config.ts";
import type { Inventory } from "./inventory/inventory.ts";
import { closeInventory, type OpenInventoryOptions, openInventory } from "./open-inventory.ts";
import { ReadyInventory } from "./rpc/ready-inventory.ts";
import { serviceRoutes } from "./rpc/routes.ts";
import { createServer } from "./server/create-server.ts";

/** The whole service, made and not yet listening. */
export interface App {
  /** Listens, at once; opens the inventory meanwhile. @returns where it listens. */
  listen(): Promise<{ url: string; port: number }>;
  /** Settles when recommendations are answered; fails when the inventory cannot be opened. */
  readonly ready: Promise<Inventory>;
  /** Ends open calls within the drain limit, or at once with `force`, then frees everything. */
  close(options?: { force?: boolean }): Promise<void>;
}

/** Wires the parts of the service. */
export async function createApp(config: Config, options: OpenInventoryOptions = {}): Promise<App> {
  const inventory = new ReadyInventory();
  const shutdown = new AbortController();
  const server = await createServer({
    config,
    routes: serviceRoutes({ inventory, usage: new Usage() }),
    readiness: inventory,
    shutdownSignal: shutdown.signal,
  });
  const opening = Promise.withResolvers<Inventory>();
  // Whoever waits for `ready` gets the failure; without a waiter it must not end the process.
  opening.promise.catch(() => {});

  let isOpening = false;

  return {
    ready: opening.promise,

    async listen() {
      await server.listen({ host: config.host, port: config.port }).catch((error) => {
        opening.reject(error);
        throw error;
      });
      isOpening = true;
      inventory.wait("the inventory is being opened");
      openInventory(config, {
        signal: shutdown.signal,
        onStarter: (done, total) => {
          inventory.wait(`${done} of ${total} models of the starter catalogue are indexed`);
          options.onStarter?.(done, total);
        },
      }).then((opened) => {
        inventory.set(opened);
        opening.resolve(opened);
      }, opening.reject);
      const { port } = server.server.address() as AddressInfo;
      const scheme = config.tls === undefined ? "http" : "https";
      const host = config.host.includes(":") ? `[${config.host}]` : config.host;
      return { url: `${scheme}://${host}:${port}`, port };
    },

    async close({ force = false } = {}) {
      shutdown.abort();
      if (force) server.server.closeAllConnections();
      await server.close();
      const opened = isOpening ? await opening.promise.catch(() => undefined) : undefined;
      inventory.unset("it is shutting down");
      if (opened !== undefined) await closeInventory(opened);
    },
  };
}
