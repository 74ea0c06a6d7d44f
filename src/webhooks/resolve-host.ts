import { lookup, Resolver } from "node:dns/promises";
import { isLocalName } from "./is-local-name.ts";

/** Finds the addresses of a name; at least one. @throws Error where it has none, or nobody tells. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

/** Two servers are asked twice each within about 8 seconds. */
const resolver = new Resolver({ timeout: 2_000, tries: 2 });

/**
 * Finds the addresses of a name by DNS, and else as the system does (its hosts file, its local network).
 */
export const resolveHost: ResolveHost = async (hostname) => {
  if (isLocalName(hostname)) return ["127.0.0.1", "::1"];
  const name = hostname.replace(/\.$/, "");
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (found.length > 0) return found;
  const faults = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
  const silent = faults.find(({ code }) => code === "ETIMEOUT");
  if (silent !== undefined) throw silent;
  return asSystem(name);
};

/** Look-ups under way or waiting, by name. */
const asked = new Map<string, Promise<string[]>>();
let last: Promise<unknown> = Promise.resolve();

/**
 * The system's way holds one of the few threads that files are read by too, for as long as it takes: it is asked for one
 * name after the other.
 */
function asSystem(name: string): Promise<string[]> {
  const known = asked.get(name);
  if (known !== undefined) return known;
  const found = last
    .then(() => lookup(name, { all: true }))
    .then((all) => all.map(({ address }) => address))
    .finally(() => asked.delete(name));
  asked.set(name, found);
  last = found.catch(() => {});
  return found;
}
