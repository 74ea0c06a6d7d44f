import ipaddr from "ipaddr.js";

/** IPv6 networks are given to one customer in this size or larger. */
const IPV6_NETWORK_BYTES = 8;

/**
 * What a client without a key is told by, since it can use all of it: an IPv4 address, also where it is written as an
 * IPv6 one, or the /64 of an IPv6 address. What is no address, as of a Unix socket, is "unknown".
 */
export function addressNetwork(address: string): string {
  // A zone, as in fe80::1%eth0, names an interface of this machine.
  const [text = ""] = address.split("%");
  if (!ipaddr.isValid(text)) return "unknown";
  const parsed = ipaddr.process(text);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const bytes = parsed.toByteArray();
  // Addresses that stand for IPv4 ones end in them.
  if (parsed.range() === "rfc6052") return bytes.slice(-4).join(".");
  return Buffer.from(bytes.slice(0, IPV6_NETWORK_BYTES)).toString("hex");
}
