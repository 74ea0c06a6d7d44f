import ipaddr from "ipaddr.js";
import { addressBehindMapping } from "./address-behind-mapping.ts";

/** Which addresses events may be sent to. */
export interface AddressGuard {
  /**
   * Why nothing may be sent to an address, or undefined where it may be.
   *
   * @param address IPv4 in four decimal parts, or IPv6 without brackets.
   * @param isPlain whether it is sent over http.
   */
  refusal(address: string, isPlain: boolean): string | undefined;
}

/** Public addresses by every register, and yet what a cloud's machines read their secrets from. */
const metadataAddresses: ReadonlySet<string> = new Set(["168.63.129.16"]);

/** The part of IPv6 that addresses of the internet are given out from; anything else names some other thing. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Lets https through to public addresses, and everything to the ranges that the operator allows. Whoever registers a
 * webhook must not be able to have this service ask what only it can reach.
 *
 * @param allow ranges such as 10.0.0.0/8 or fd00::/8, or single addresses.
 */
export function createAddressGuard(allow: readonly string[]): AddressGuard {
  const ranges = allow.map((range) => (range.includes("/") ? ipaddr.parseCIDR(range) : wholeAddress(range)));
  return {
    refusal(text, isPlain) {
      if (!ipaddr.isValid(text)) return "is not an address";
      const address = addressBehindMapping(ipaddr.parse(text));
      const isAllowed = ranges.some(
        ([range, bits]) => range.kind() === address.kind() && address.match(range as never, bits),
      );
      if (isAllowed) return undefined;
      const kind = kindOf(address);
      if (kind !== undefined) return `is ${kind}`;
      return isPlain ? "is public, where only https may go" : undefined;
    },
  };
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.parse(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/** What else than a public address it is, in words. */
function kindOf(address: ipaddr.IPv4 | ipaddr.IPv6): string | undefined {
  if (metadataAddresses.has(address.toString())) return "a metadata address";
  const range = address.range();
  if (range !== "unicast") return titles[range] ?? "a reserved address";
  if (address instanceof ipaddr.IPv6 && !address.match(globalUnicast)) return "a reserved address";
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
