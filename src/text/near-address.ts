import ipaddr from "ipaddr.js";

/** Ranges of this machine and of private networks: RFC 1918, RFC 4193 and loopback. Clouds' metadata is link-local. */
const nearRanges: ReadonlySet<string> = new Set(["loopback", "private", "uniqueLocal"]);

/** Whether an IPv4 or IPv6 address is on this machine or in a private network; no for texts that are no address. */
export function isNearAddress(address: string): boolean {
  // An IPv4-mapped address such as ::ffff:10.0.0.1 connects to the IPv4 address in it.
  return ipaddr.isValid(address) && nearRanges.has(ipaddr.process(address).range());
}
