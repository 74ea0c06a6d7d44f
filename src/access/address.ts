import { createHmac } from "node:crypto";
import ipaddr from "ipaddr.js";
import type { WiderSubject } from "./caller.ts";

/** Providers give one customer an IPv6 network of this size or larger. */
const IPV6_NETWORK_BYTES = 8;

/**
 * Larger IPv6 networks that one customer may have (RFC 6177 and RIPE-690: a /56 for a home, a /48 for a site), and
 * their shares as multiples of a /64's. Many customers may share such a network, as in a mobile network; the shares are
 * large enough for those of a small service.
 */
const WIDER_IPV6_NETWORKS = [
  { bytes: 7, bits: 56, times: 4 },
  { bytes: 6, bits: 48, times: 16 },
] as const;

/** A network around that of a client. */
export interface WiderNetwork {
  /** Its prefix. It never equals a network that addressNetwork returns. */
  network: string;
  /** The length of its prefix in bits. */
  bits: number;
  /** The share of the whole network, as a multiple of one client's. */
  times: number;
}

/**
 * The network that identifies a client without a key, which can use all of it: an IPv4 address, also one written as
 * IPv6, or the /64 of an IPv6 address. "unknown" for a text that is no address, such as that of a Unix socket.
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
  // NAT64 addresses end with the IPv4 address.
  return parsed.range() === "rfc6052" ? new ipaddr.IPv4(parsed.toByteArray().slice(-4)) : parsed;
}

function prefix(address: ipaddr.IPv6, bytes: number): string {
  return Buffer.from(address.toByteArray().slice(0, bytes)).toString("hex");
}

/** 128 bits, so that two networks never get the same subject. */
const HASH_BYTES = 16;

/**
 * The subject that counts an address, together with all others of its network: see addressNetwork.
 *
 * @param hashKey the same on all replicas. Without it a reader of the store could find addresses by trying all of them.
 */
export function addressSubject(address: string, hashKey: string): string {
  return networkSubject(addressNetwork(address), hashKey);
}

/** The subjects of the networks around an address, which count it too: see widerNetworks. */
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
