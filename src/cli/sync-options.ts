import { nearestNames } from "../nearest.ts";
import { type SourceName, sourceNames } from "../source-names.ts";
import type { ParsedArguments } from "./parse-arguments.ts";
import { UsageError } from "./usage-error.ts";

/** What `modelscout sync` is asked for. */
export interface SyncOptions {
  sources: SourceName[];
  limit: number | undefined;
  cards: number | undefined;
}

/** More models than any source has. */
const MOST = 100_000_000;

/** Reads the arguments of `modelscout sync`. @throws UsageError with all faults at once. */
export function syncOptions(args: ParsedArguments): SyncOptions {
  const faults: string[] = [];
  const given = args.positionals.length === 0 ? ["huggingface"] : args.positionals;
  const sources = sourceNames.filter((name) => given.includes(name));
  for (const word of given) {
    if ((sourceNames as readonly string[]).includes(word)) continue;
    const [nearest] = nearestNames(word, sourceNames, 1);
    const hint = nearest === undefined ? `; there are ${sourceNames.join(", ")}` : `; did you mean ${nearest}?`;
    faults.push(`${JSON.stringify(word)}: there is no such source${hint}`);
  }
  const whole = (name: string, least: number) => {
    const value = args.value(name);
    if (value === undefined) return undefined;
    if (sources.length > 0 && !sources.includes("huggingface"))
      faults.push(`--${name}: is for huggingface, which is not synced here`);
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= MOST) return number;
    faults.push(`--${name} ${JSON.stringify(value)}: must be a whole number from ${least} to ${MOST}`);
    return undefined;
  };
  const limit = whole("limit", 1);
  const cards = whole("cards", 0);
  if (faults.length > 0) throw new UsageError("sync", faults);
  return { sources, limit, cards };
}
