import { createHmac } from "node:crypto";
import { addressNetwork, widerNetworks } from "./address-network.ts";
import type { WiderSubject } from "./caller.ts";

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
