import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import ipaddr from "ipaddr.js";
import type { Config } from "../config/index.ts";
import { ServiceError } from "../error.ts";
import { toConnectError } from "../rpc/index.ts";
import { sendError } from "./errors/send-error.ts";

/**
 * Returns the error that refuses a request, HOST_REFUSED or CROSS_SITE_REFUSED; undefined if the request is allowed.
 *
 * @param isPage whether the request is for a page for people. Other sites may link to it: the browser leaves the page
 * that has the link, so that page learns nothing. Showing the page uses up nothing.
 */
export type LoopbackGuard = (headers: IncomingHttpHeaders, isPage?: boolean) => ServiceError | undefined;

/**
 * Protects a service that only this computer can reach against web pages that its user visits. These reach it through
 * the user's browser, by their own host name (DNS rebinding) or across sites, and could use up the user's quota. The
 * guard is on if the service listens on loopback, or if `allowedHosts` lists further names of the service, as in a
 * container whose port is published to loopback.
 *
 * @param host the host that the service listens on.
 * @returns undefined if the guard is off.
 */
export function createLoopbackGuard(
  host: string,
  { loopbackGuard, allowedHosts, corsOrigins }: Pick<Config, "loopbackGuard" | "allowedHosts" | "corsOrigins">,
): LoopbackGuard | undefined {
  if (!loopbackGuard || (allowedHosts.length === 0 && !isLoopbackHost(host))) {
    return undefined;
  }
  const allowed = new Set(allowedHosts.map(canonical));
  return (headers, isPage = false) => {
    const authority = headers[":authority"] ?? headers.host ?? "";
    const sent = typeof authority === "string" ? authority : "";
    const name = hostName(sent);
    if (name === undefined || !(isLoopbackHost(name) || allowed.has(canonical(name)))) {
      return new ServiceError("HOST_REFUSED", { host: JSON.stringify(sent.slice(0, 100)) });
    }
    if (isPage && headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document") {
      return undefined;
    }
    const { origin } = headers;
    const isAllowed = origin !== undefined && (corsOrigins.includes("*") || corsOrigins.includes(origin));
    const isForeign = origin !== undefined ? hostName(origin.replace(/^\w+:\/\//, "")) !== name : false;
    const isCrossSite = isForeign || headers["sec-fetch-site"] === "cross-site";
    return isCrossSite && !isAllowed ? new ServiceError("CROSS_SITE_REFUSED") : undefined;
  };
}

/** Applies a guard to every request of a server. */
export function guardRequests(server: FastifyInstance, guard: LoopbackGuard): void {
  server.addHook("onRequest", async (request, reply) => {
    const refusal = guard(request.headers, request.routeOptions.config.isPage);
    if (refusal !== undefined) {
      return sendError(toConnectError(refusal), request, reply);
    }
  });
}

/** Whether a host (no port, no brackets) is this computer: by name, or by an address in any form. */
function isLoopbackHost(host: string): boolean {
  if (ipaddr.isValid(host)) {
    return ipaddr.process(host).range() === "loopback";
  }
  return /^(?:localhost|.+\.localhost)$/i.test(host);
}

/** The canonical form of a host. */
function canonical(host: string): string {
  return ipaddr.isValid(host) ? ipaddr.process(host).toString() : host.toLowerCase();
}

function hostName(authority: string): string | undefined {
  return /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d+)?$/.exec(authority)?.slice(1).find(Boolean)?.toLowerCase();
}
