import type { FastifyRequest, FastifyServerOptions } from "fastify";
import ipaddr from "ipaddr.js";
import { addressNetwork } from "../../access/index.ts";
import type { TrustedProxies } from "../../config/index.ts";

/** Fastify's option for the trusted proxies. */
export function trustProxyOption(trusted: TrustedProxies | undefined): NonNullable<FastifyServerOptions["trustProxy"]> {
  if (trusted === undefined) {
    return false;
  }
  if ("ranges" in trusted) {
    return [...trusted.ranges];
  }
  // Fastify no longer accepts a number, because a client that reaches the port without a proxy could forge the header.
  // An operator who sets a number must let only the proxies reach the port.
  return (_address, hop) => hop < trusted.hops;
}

/** The address ranges that Fastify's words mean. */
const rangesOfWords: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/**
 * Returns a function for the network that a connection comes from. Undefined for a trusted proxy, because
 * all its clients share its address.
 */
export function networkOfPeer(trusted: TrustedProxies | undefined): (address: string) => string | undefined {
  const isProxy = proxyCheck(trusted);
  return (address) => (isProxy(address) ? undefined : addressNetwork(address));
}

/**
 * Returns a check whether a connection's address is that of a trusted proxy. With a number of proxies every address is,
 * because only proxies may reach the port.
 */
function proxyCheck(trusted: TrustedProxies | undefined): (address: string) => boolean {
  if (trusted === undefined) {
    return () => false;
  }
  if (!("ranges" in trusted)) {
    return () => true;
  }
  const ranges = trusted.ranges
    .flatMap((range) => rangesOfWords[range] ?? [range])
    .map((range) => {
      if (range.includes("/")) {
        return ipaddr.parseCIDR(range);
      }
      const address = ipaddr.process(range);
      return [address, address.kind() === "ipv4" ? 32 : 128] as const;
    });
  return (text) => {
    const [withoutZone = ""] = text.split("%");
    if (!ipaddr.isValid(withoutZone)) {
      return false;
    }
    const address = ipaddr.process(withoutZone);
    return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range as never, bits));
  };
}

/**
 * The client's address: from X-Forwarded-For if trusted proxies sent a valid one, else the connection's. Empty if there
 * is none, as on a Unix socket.
 */
export function clientAddress(request: FastifyRequest): string {
  const connected = request.raw.socket?.remoteAddress;
  // The peer has left.
  if (connected === undefined) {
    return "";
  }
  const forwarded = withoutPort(request.ip);
  return ipaddr.isValid(forwarded) ? forwarded : connected;
}

/** Headers of proxies. A request with one of them came from elsewhere, although a proxy on this machine sent it. */
const proxyHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

/** Whether a request comes over loopback, without a sign of a proxy. */
export function isFromThisMachine({ raw, headers }: FastifyRequest): boolean {
  const [connected = ""] = (raw.socket?.remoteAddress ?? "").split("%");
  const isLoopback = ipaddr.isValid(connected) && ipaddr.process(connected).range() === "loopback";
  return isLoopback && proxyHeaders.every((name) => headers[name] === undefined);
}

/** The address without a port, which some proxies add: 192.0.2.1:5000 or [2001:db8::1]:5000. */
function withoutPort(address: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}
