import { createHmac } from "node:crypto";
import { addressNetwork } from "./address-network.ts";

/** 128 bits: two addresses never meet in one subject. */
const HASH_BYTES = 16;

/**
 * The subject that an address is counted under, together with all others of its network: see addressNetwork.
 *
 * @param hashKey keeps those who read the store from trying all addresses; equal on all replicas.
 */
export function addressSubject(address: string, hashKey: string): string {
  const hash = createHmac("sha256", hashKey).update(addressNetwork(address)).digest().subarray(0, HASH_BYTES);
  return `address:${hash.toString("base64url")}`;
}
