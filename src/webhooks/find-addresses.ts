import { isIP } from "node:net";
import type { AddressGuard } from "./address-guard.ts";
import { isLocalName } from "./is-local-name.ts";
import type { ResolveHost } from "./resolve-host.ts";

/** What tells where events may go. */
export interface AddressOptions {
  guard: AddressGuard;
  resolve: ResolveHost;
}

/** An address that events may not go to. Its message says which and why. */
export class AddressRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AddressRefused";
  }
}

/**
 * The addresses of a URL's host, each of which may be connected to: one that may not be refuses them all.
 *
 * @throws AddressRefused, and what the resolver throws.
 */
export async function findAddresses(url: URL, { guard, resolve }: AddressOptions): Promise<string[]> {
  // URL has read decimal, octal, hexadecimal and shortened spellings of IPv4 already.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  const isPlain = url.protocol === "http:";
  const allowed = addresses.filter((address) => guard.refusal(address, isPlain) === undefined);
  // All of them are this machine.
  if (isLocalName(host) && allowed.length > 0) return allowed;
  for (const address of addresses) {
    const problem = guard.refusal(address, isPlain);
    if (problem !== undefined)
      throw new AddressRefused(`${address === host ? host : `${host} has the address ${address}, which`} ${problem}`);
  }
  return addresses;
}
