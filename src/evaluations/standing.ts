import type { Board } from "./board.ts";
import type { Evaluation } from "./evaluation.ts";
import { boardIndex, boardOf } from "./registry.ts";

/** A figure of a model with its board: what a ranking needs, without any I/O. */
export interface Standing extends Evaluation {
  of?: number;
  /** What is measured, for which tasks, purposes and languages. */
  facts: Board;
  /**
   * The share of the board's other models that are behind this one, 0 to 1: of all that the board has, not only of those
   * in the inventory. Absent where the place is unknown, or the model is alone.
   */
  percentile?: number;
}

/**
 * The figures of a model with their boards, in the order of `boards`. Figures of boards that this version does not know
 * are left out.
 */
export function standingsOf(evaluations: readonly Evaluation[] = []): Standing[] {
  const ordered = [...evaluations].sort((a, b) => boardIndex(a.board) - boardIndex(b.board));
  return ordered.flatMap((evaluation) => {
    const facts = boardOf(evaluation.board);
    if (facts === undefined) {
      return [];
    }
    const percentile = percentileOf(evaluation);
    return [{ ...evaluation, facts, ...(percentile !== undefined && { percentile }) }];
  });
}

function percentileOf({ place, of }: Evaluation): number | undefined {
  return place === undefined || of === undefined || of < 2 ? undefined : (of - place) / (of - 1);
}

/** A figure's value with what it means: `5.4 % of words wrong`. */
export function valueInWords({ value, facts }: Pick<Standing, "value" | "facts">): string {
  const { decimals, words } = facts;
  return words.replace("{}", numberFormat(decimals).format(value));
}

/** A place: `4th of 87`; undefined where it is unknown. */
export function placeInWords({ place, of }: Pick<Standing, "place" | "of">): string | undefined {
  return place === undefined || of === undefined ? undefined : `${ordinal(place)} of ${of.toLocaleString("en")}`;
}

/** The month of a figure: `March 2026`; undefined where it is unknown. */
export function monthInWords({ as_of: asOf }: Pick<Standing, "as_of">): string | undefined {
  if (asOf === undefined) {
    return undefined;
  }
  return months.format(new Date(`${asOf}T00:00:00Z`));
}

// Made once: making a format takes a hundred times as long as using it.
const numberFormats = new Map<number, Intl.NumberFormat>();

function numberFormat(decimals: number): Intl.NumberFormat {
  let format = numberFormats.get(decimals);
  if (format === undefined) {
    format = new Intl.NumberFormat("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    numberFormats.set(decimals, format);
  }
  return format;
}

const months = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });
const ordinals = new Intl.PluralRules("en", { type: "ordinal" });

/**
 * A figure as one phrase: `4th of 87 on the Open ASR leaderboard: 5.4 % of words wrong, March 2026`. What was not
 * measured for this very model says so.
 */
export function standingInWords(standing: Standing): string {
  const { name } = standing.facts;
  const place = placeInWords(standing);
  const month = monthInWords(standing);
  if (standing.evidence === "claimed") {
    const rank = place === undefined ? "" : ` (${place})`;
    const when = month === undefined ? "" : `, ${month}`;
    return `Claimed by its authors, not measured independently: ${valueInWords(standing)} on the ${name}${rank}${when}`;
  }
  const where = place === undefined ? `on the ${name}` : `${place} on the ${name}`;
  const said = [`${where}: ${valueInWords(standing)}`, month, caveats[standing.evidence]];
  const phrase = said.filter((part) => part !== undefined).join(", ");
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}`;
}

const caveats = {
  measured: undefined,
  verified: "claimed by its authors and reproduced",
  base: "measured for the model that this one repackages",
  line: "measured for another form of the model",
} as const;

function ordinal(count: number): string {
  const suffix = { one: "st", two: "nd", few: "rd" }[ordinals.select(count) as string] ?? "th";
  return `${count.toLocaleString("en")}${suffix}`;
}
