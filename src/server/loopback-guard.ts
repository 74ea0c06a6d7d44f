import type { IncomingHttpHeaders } from "node:http";
import { ServiceError } from "../error.ts";

/** Whether a host name (no port, no brackets) is this computer itself. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/i.test(host);
}

/**
 * Protects a service on loopback from web pages that its user visits: they reach it through the user's browser, by a
 * name of their own (DNS rebinding) or across sites, and would spend the user's quota.
 *
 * @param isPage whether a page for people is asked for. Other sites may link to it: the browser then shows it in place
 * of the page that has the link, which learns nothing. By itself it uses up nothing.
 * @returns why a request is refused, HOST_REFUSED or CROSS_SITE_REFUSED; undefined when it is not.
 */
export function refuseForeign(
  headers: IncomingHttpHeaders,
  corsOrigins: readonly string[],
  isPage = false,
): ServiceError | undefined {
  const authority = headers[":authority"] ?? headers.host ?? "";
  const host = typeof authority === "string" ? authority : "";
  const name = hostName(host);
  if (name === undefined || !isLoopbackHost(name)) {
    return new ServiceError("HOST_REFUSED", { host: JSON.stringify(host.slice(0, 100)) });
  }
  if (isPage && headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document") return undefined;
  const { origin } = headers;
  const isAllowed = origin !== undefined && (corsOrigins.includes("*") || corsOrigins.includes(origin));
  const isForeign = origin !== undefined ? hostName(origin.replace(/^\w+:\/\//, "")) !== name : false;
  const isCrossSite = isForeign || headers["sec-fetch-site"] === "cross-site";
  return isCrossSite && !isAllowed ? new ServiceError("CROSS_SITE_REFUSED") : undefined;
}

function hostName(authority: string): string | undefined {
  return /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d+)?$/.exec(authority)?.slice(1).find(Boolean)?.toLowerCase();
}
