import type { FastifyContextConfig } from "fastify";

/**
 * The bucket of the burst limit that a request without a key is taken from; undefined where it is from none. Pages and
 * monitors have buckets of their own, so that whoever calls too often at an address can still open the page there, and
 * a balancer there is not told that the service is ill.
 *
 * @param network see addressNetwork.
 */
export function bucketOf({ audience, isProbe }: FastifyContextConfig, network: string): string | undefined {
  if (isProbe) return undefined;
  if (audience === "monitors") return `monitors ${network}`;
  return audience === "everyone" ? `pages ${network}` : network;
}
