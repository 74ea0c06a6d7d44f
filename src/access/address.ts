import { createHmac } from "node:crypto";
import ipaddr from "ipaddr.js";
import type { WiderSubject } from "./caller.ts";

/** IPv6 networks are given to one customer in this size or larger. */
const IPV6_NETWORK_BYTES = 8;

/**
 * Larger IPv6 networks that are given to one customer too (RFC 6177 and RIPE-690: a /56 to a home, a /48 to a site), and
 * how many times as much as one /64 all of it may have. Where many customers share one, as a mobile network's may, the
 * share must do for those of a small service.
 */
const WIDER_IPV6_NETWORKS = [
  { bytes: 7, bits: 56, times: 4 },
  { bytes: 6, bits: 48, times: 16 },
] as const;

/** A network around that of a client. */
export interface WiderNetwork {
  /** As addressNetwork tells networks, and never equal to one of its. */
  network: string;
  /** The length of its prefix in bits. */
  bits: number;
  /** How many times as much as one client all of it may have. */
  times: number;
}

/**
 * What a client without a key is told by, since it can use all of it: an IPv4 address, also where it is written as an
 * IPv6 one, or the /64 of an IPv6 address. What is no address, as of a Unix socket, is "unknown".
 */
export function addressNetwork(address: string): string {
  const parsed = parsedAddress(address);
  if (parsed === undefined) {
    return "unknown";
  }
  return parsed instanceof ipaddr.IPv6 ? prefix(parsed, IPV6_NETWORK_BYTES) : parsed.toString();
}

/** The networks around an address's, the smallest first; none for IPv4. */
export function widerNetworks(address: string): WiderNetwork[] {
  const parsed = parsedAddress(address);
  if (!(parsed instanceof ipaddr.IPv6)) {
    return [];
  }
  return WIDER_IPV6_NETWORKS.map(({ bytes, bits, times }) => ({ network: prefix(parsed, bytes), bits, times }));
}

function parsedAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // A zone, as in fe80::1%eth0, names an interface of this machine.
  const [text = ""] = address.split("%");
  if (!ipaddr.isValid(text)) {
    return undefined;
  }
  const parsed = ipaddr.process(text);
  // Addresses that stand for IPv4 ones end in them.
  return parsed.range() === "rfc6052" ? new ipaddr.IPv4(parsed.toByteArray().slice(-4)) : parsed;
}

function prefix(address: ipaddr.IPv6, bytes: number): string {
  return Buffer.from(address.toByteArray().slice(0, bytes)).toString("hex");
}

/** 128 bits: two addresses never meet in one subject. */
const HASH_BYTES = 16;

/**
 * The subject that an address is counted under, together with all others of its network: see addressNetwork.
 *
 * @param hashKey keeps those who read the store from trying all addresses; equal on all replicas.
 */
export function addressSubject(address: string, hashKey: string): string {
  return networkSubject(addressNetwork(address), hashKey);
}

/** The subjects of the networks around an address's, which it is counted under too: see widerNetworks. */
export function widerSubjects(address: string, hashKey: string): WiderSubject[] {
  return widerNetworks(address).map(({ network, ...share }) => ({
    ...share,
    subject: networkSubject(network, hashKey),
  }));
}

function networkSubject(network: string, hashKey: string): string {
  const hash = createHmac("sha256", hashKey).update(network).digest().subarray(0, HASH_BYTES);
  return `address:${hash.toString("base64url")}`;
}
