import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import ipaddr from "ipaddr.js";
import type { Config } from "../config/index.ts";
import { ServiceError } from "../error.ts";
import { toConnectError } from "../rpc/index.ts";
import { sendError } from "./errors/send-error.ts";

/**
 * Says why a request is refused, HOST_REFUSED or CROSS_SITE_REFUSED; undefined when it is not.
 *
 * @param isPage whether a page for people is asked for. Other sites may link to it: the browser then shows it in place
 * of the page that has the link, which learns nothing. By itself it uses up nothing.
 */
export type LoopbackGuard = (headers: IncomingHttpHeaders, isPage?: boolean) => ServiceError | undefined;

/**
 * Protects a service that only this computer reaches from web pages that its user visits: they reach it through the
 * user's browser, by a name of their own (DNS rebinding) or across sites, and would spend the user's quota. It stands
 * where the service listens on loopback, and wherever `allowedHosts` says by which names else it is called, as in a
 * container whose port is published to loopback.
 *
 * @param host where the service listens.
 * @returns undefined where nothing is refused.
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

/** Refuses what a guard refuses, before the request is answered. */
export function guardRequests(server: FastifyInstance, guard: LoopbackGuard): void {
  server.addHook("onRequest", async (request, reply) => {
    const refusal = guard(request.headers, request.routeOptions.config.isPage);
    if (refusal !== undefined) {
      return sendError(toConnectError(refusal), request, reply);
    }
  });
}

/** Whether a host (no port, no brackets) is this computer itself: by name, or as an address however it is written. */
function isLoopbackHost(host: string): boolean {
  if (ipaddr.isValid(host)) {
    return ipaddr.process(host).range() === "loopback";
  }
  return /^(?:localhost|.+\.localhost)$/i.test(host);
}

/** One way to write a host. */
function canonical(host: string): string {
  return ipaddr.isValid(host) ? ipaddr.process(host).toString() : host.toLowerCase();
}

function hostName(authority: string): string | undefined {
  return /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d+)?$/.exec(authority)?.slice(1).find(Boolean)?.toLowerCase();
}
