import ipaddr from "ipaddr.js";

/** The IPv4 address that an IPv4-mapped one such as ::ffff:10.0.0.1 connects to; any other address as it is. */
export function addressBehindMapping(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}
