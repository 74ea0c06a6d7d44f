import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The IPv4 address that an IPv4-mapped one such as ::ffff:10.0.0.1 connects to; any other address as it is. */
export function addressBehindMapping(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Which addresses events may be sent to. */
export interface AddressGuard {
  /**
   * Why nothing may be sent to an address; undefined if it may.
   *
   * @param address IPv4 in four decimal parts, or IPv6 without brackets.
   * @param isPlain whether it is sent over http.
   */
  refusal(address: string, isPlain: boolean): string | undefined;
  /** Whether anything may be sent over http. */
  allowsPlain: boolean;
}

/** Public in every register, but machines of this cloud read their secrets from it. */
const metadataAddresses: ReadonlySet<string> = new Set(["168.63.129.16"]);

/** The IPv6 range of internet addresses (RFC 4291); everything else has a special purpose. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Allows https to public addresses, and everything to the ranges that the operator allows: a webhook must not make this
 * service send requests to places that only it can reach.
 *
 * @param allow ranges such as 10.0.0.0/8 or fd00::/8, or single addresses.
 */
export function createAddressGuard(allow: readonly string[]): AddressGuard {
  const ranges = allow.map((range) => (range.includes("/") ? ipaddr.parseCIDR(range) : wholeAddress(range)));
  return {
    allowsPlain: ranges.length > 0,
    refusal(text, isPlain) {
      if (!ipaddr.isValid(text)) {
        return "is not an address";
      }
      const address = addressBehindMapping(ipaddr.parse(text));
      const isAllowed = ranges.some(
        ([range, bits]) => range.kind() === address.kind() && address.match(range as never, bits),
      );
      if (isAllowed) {
        return undefined;
      }
      const kind = kindOf(address);
      if (kind !== undefined) {
        return `is ${kind}`;
      }
      return isPlain ? "is public, and public addresses need https" : undefined;
    },
  };
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.parse(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/** The kind of an address that is not public, in words. */
function kindOf(address: ipaddr.IPv4 | ipaddr.IPv6): string | undefined {
  if (metadataAddresses.has(address.toString())) {
    return "a metadata address";
  }
  const range = address.range();
  if (range !== "unicast") {
    return titles[range] ?? "a reserved address";
  }
  if (address instanceof ipaddr.IPv6 && !address.match(globalUnicast)) {
    return "a reserved address";
  }
  return undefined;
}

const titles: Readonly<Record<string, string>> = {
  unspecified: "an unspecified address",
  loopback: "a loopback address",
  private: "a private address",
  uniqueLocal: "a private address",
  deprecatedSiteLocal: "a private address",
  linkLocal: "a link-local address",
  carrierGradeNat: "an address of a carrier's network",
  multicast: "a multicast address",
  broadcast: "a broadcast address",
  rfc6052: "an address that is translated to IPv4",
  rfc6145: "an address that is translated to IPv4",
  "6to4": "an address that is translated to IPv4",
  teredo: "an address that is translated to IPv4",
};

/** Whether a name always means this machine: RFC 6761. */
export function isLocalName(hostname: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(hostname);
}

/** Finds the addresses of a name; at least one. @throws Error if it has none, or no server answers. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

/** Asks two servers twice each, within about 8 seconds. */
const resolver = new Resolver({ timeout: 2_000, tries: 2 });

/** Finds the addresses of a name by DNS, and then as the system does (its hosts file, its local network). */
export const resolveHost: ResolveHost = async (hostname) => {
  if (isLocalName(hostname)) {
    return ["127.0.0.1", "::1"];
  }
  const name = hostname.replace(/\.$/, "");
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (found.length > 0) {
    return found;
  }
  const faults = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
  const silent = faults.find(({ code }) => code === "ETIMEOUT");
  if (silent !== undefined) {
    throw silent;
  }
  return resolveBySystem(name);
};

/** Look-ups by the system, under way or waiting, by name. */
const asked = new Map<string, Promise<string[]>>();
let last: Promise<unknown> = Promise.resolve();

/**
 * A look-up by the system holds one of the few threads that also read files, for as long as it takes, so the system is
 * asked for one name at a time.
 */
function resolveBySystem(name: string): Promise<string[]> {
  const known = asked.get(name);
  if (known !== undefined) {
    return known;
  }
  const found = last
    .then(() => lookup(name, { all: true }))
    .then((all) => all.map(({ address }) => address))
    .finally(() => asked.delete(name));
  asked.set(name, found);
  last = found.catch(() => {});
  return found;
}

/** How addresses are found and checked. */
export interface AddressOptions {
  guard: AddressGuard;
  resolve: ResolveHost;
}

/** Events may not be sent to this address. The message says which and why. */
export class AddressRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AddressRefused";
  }
}

/**
 * The addresses of a URL's host. If one of them is not allowed, all are refused.
 *
 * @throws AddressRefused, and errors of the resolver.
 */
export async function findAddresses(url: URL, { guard, resolve }: AddressOptions): Promise<string[]> {
  // URL has already parsed decimal, octal, hexadecimal and shortened spellings of IPv4.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isPlain = url.protocol === "http:";
  const addresses =
    isIP(host) !== 0
      ? [host]
      : await resolve(host).catch((error) => {
          // Wherever the name may lead later, nothing will be sent there.
          throw isPlain && !guard.allowsPlain ? new AddressRefused("events are sent over https only") : error;
        });
  const allowed = addresses.filter((address) => guard.refusal(address, isPlain) === undefined);
  // All addresses of this name are this machine.
  if (isLocalName(host) && allowed.length > 0) {
    return allowed;
  }
  for (const address of addresses) {
    const problem = guard.refusal(address, isPlain);
    if (problem !== undefined) {
      throw new AddressRefused(`${address === host ? host : `${host} has the address ${address}, which`} ${problem}`);
    }
  }
  return addresses;
}
