import type { FastifyRequest, FastifyServerOptions } from "fastify";
import ipaddr from "ipaddr.js";
import type { TrustedProxies } from "../../config.ts";

/** Fastify's option for the proxies that are believed. */
export function trustProxyOption(trusted: TrustedProxies | undefined): NonNullable<FastifyServerOptions["trustProxy"]> {
  if (trusted === undefined) return false;
  if ("ranges" in trusted) return [...trusted.ranges];
  // Fastify takes no number any more, since whoever reaches the port without a proxy can make one up. Who counts hops
  // keeps the port to the proxies.
  return (_address, hop) => hop < trusted.hops;
}

/**
 * The address of the client: of the connection, or what the proxies that are believed say in X-Forwarded-For. Where
 * they say what is no address, that of the connection; empty where there is none, as on a Unix socket.
 */
export function clientAddress(request: FastifyRequest): string {
  const connected = request.raw.socket?.remoteAddress;
  // The peer has gone already.
  if (connected === undefined) return "";
  const told = withoutPort(request.ip);
  return ipaddr.isValid(told) ? told : connected;
}

/** Some proxies write the client's port too: 192.0.2.1:5000 or [2001:db8::1]:5000. */
function withoutPort(address: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}
