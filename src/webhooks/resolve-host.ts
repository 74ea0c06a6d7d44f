import { lookup, Resolver } from "node:dns/promises";

/** Finds the addresses of a name; at least one. @throws Error where it has none, or nobody tells. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

/** Two servers are asked twice each within about 8 seconds. */
const resolver = new Resolver({ timeout: 2_000, tries: 2 });

/**
 * Finds the addresses of a name by DNS, and else as the system does (its hosts file, its local network). The system's way
 * holds one of few threads for as long as it takes, so that names whose servers are silent would delay everybody; it
 * is for names that DNS has answered about.
 */
export const resolveHost: ResolveHost = async (hostname) => {
  const name = hostname.replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost")) return ["127.0.0.1", "::1"];
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (found.length > 0) return found;
  const faults = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
  const silent = faults.find(({ code }) => code === "ETIMEOUT");
  if (silent !== undefined) throw silent;
  return (await lookup(name, { all: true })).map(({ address }) => address);
};
