import { type Link, linksOf } from "../devices/links.ts";
import type { Layout } from "../model/layout.ts";
import type { Device } from "../types.ts";

/** What several cards of one kind exchange when they work on a model together. */
export interface Exchange {
  /** 10^9 bytes that a card sends for each token. */
  gbPerToken: number;
  /** The link that the estimate counts. */
  link: Link;
  /** The other link that such cards can have, if there are two. */
  other?: Link;
}

/** Activations have 16 bits. */
const ELEMENT_BYTES = 2;
/**
 * With tensor parallelism each layer ends twice with a sum over all cards, after attention and after the feed-forward
 * part (Shoeybi et al., Megatron-LM, 2019).
 */
const SUMS_PER_LAYER = 2;

/**
 * The data that tensor parallelism sends over the link between cards. A sum of n cards in a ring sends 2 (n - 1) / n of
 * the vector from each card. Undefined for one device, and where the width of the model or the link is not known. A
 * bridge is sold separately, so PCIe counts for cards that need one.
 */
export function exchangeOf({ layers, hidden }: Layout, device: Device): Exchange | undefined {
  const links = linksOf(device);
  if (device.count < 2 || links === undefined || hidden === undefined) {
    return undefined;
  }
  const share = (2 * (device.count - 1)) / device.count;
  const gbPerToken = (layers * SUMS_PER_LAYER * share * hidden * ELEMENT_BYTES) / 1e9;
  const { pcie, direct, bridge } = links;
  if (direct === undefined) {
    return { gbPerToken, link: pcie };
  }
  return bridge ? { gbPerToken, link: pcie, other: direct } : { gbPerToken, link: direct, other: pcie };
}

/** Milliseconds that the data of so many tokens takes at least. */
export function exchangeMs({ gbPerToken }: Pick<Exchange, "gbPerToken">, { gbS }: Link, tokens: number): number {
  return ((gbPerToken * tokens) / gbS) * 1000;
}
