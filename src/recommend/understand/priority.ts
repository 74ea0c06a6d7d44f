import { findAll, indexRules, type Rule } from "./wishes/text/phrases.ts";
import { type Text, words } from "./wishes/text/text.ts";
import type { Found, Priority } from "./wishes/wish.ts";

/** If a description has several, the first of these counts: "the best of the smallest models" asks for a small one. */
const precedence: readonly Priority[] = ["speed", "size", "quality", "balanced"];

const found = (priority: Priority, from: number, to: number): Found => ({
  wish: { kind: "priority", value: priority, priority },
  from,
  to,
});

const unlessNegated = (priority: Priority, phrases: readonly string[]): Rule => ({
  phrases,
  unlessNegated: true,
  read: (_text, from, to) => found(priority, from, to),
});

/** A rule whose phrases mean something else before or after some words. */
const unlessBeside = (
  priority: Priority,
  phrases: readonly string[],
  { before = new Set(), after = new Set() }: { before?: ReadonlySet<string>; after?: ReadonlySet<string> },
): Rule => ({
  phrases,
  unlessNegated: true,
  read: (text, from, to) =>
    before.has(text.before(from)) || after.has(text.after(to)) ? undefined : found(priority, from, to),
});

/** Words that "best" describes instead of the model: "best practices", "the best price", "best man". */
const ofOthers = words(
  "practice practices regards wishes friend friends man before buy seller sellers selling price prices deal deals offer",
  "offers way ways time times effort interest interests known match matches matching move moves route photo photos shot",
  "shots moment moments frame frames",
);
const notTheBest = words("at personal my his her your");
/** Words that "cheapest" and "smallest" describe instead of a model. */
const ofGoods = words(
  "flight flights hotel hotels product products price prices item items supplier suppliers ticket tickets offer offers",
  "dataset datasets object objects face faces text texts image images details defects parts things",
);
const ofMotion = words("way growing route runner path lap car train delivery");

const priorityRules: readonly Rule[] = [
  unlessBeside("quality", ["best possible?"], { before: notTheBest, after: ofOthers }),
  unlessNegated("quality", [
    "most accurate|capable|powerful|precise",
    "highest|maximum|top|best possible? quality|accuracy",
    "state of the art",
    "sota",
    "as accurate|accurately|good|well|precise|precisely as possible",
    "quality|accuracy matters|first",
    "quality|accuracy over speed|size|cost",
    "quality|accuracy is key|everything|crucial|paramount|essential",
    "quality|accuracy is the? most|more important",
    "strongest|smartest model|models|llm|one|open|local|multilingual|small|that|which|available",
  ]),
  unlessBeside("size", ["smallest", "lightest", "tiniest", "cheapest"], { after: ofGoods }),
  unlessNegated("size", [
    "as small|light|cheap|cheaply|compact as possible",
    "cheap|cheapest|cheaper to run|host|operate|serve",
    "low|minimal|least memory",
    "as little memory as possible",
  ]),
  unlessBeside("speed", ["fastest"], { after: ofMotion }),
  unlessNegated("speed", [
    "as fast|quickly|quick as possible",
    "lowest latency|delay",
    "highest throughput",
    "speed matters|first",
    "speed over quality|accuracy",
    "speed is key|everything|crucial|paramount|essential",
  ]),
  unlessNegated("balanced", [
    "good enough",
    "good|reasonable|decent balance|compromise|trade",
    "balance between|of quality|accuracy|speed|size",
  ]),
];

const index = indexRules(priorityRules);

/**
 * Reads what matters most. Its words may also be those of a wish for a size or a speed. Of several priorities, the first
 * in the order of `precedence` counts.
 */
export function readPriority(text: Text): Found[] {
  const all = findAll(text, index);
  for (const priority of precedence) {
    const [first] = all.filter(({ wish }) => wish.value === priority).sort((a, b) => a.from - b.from || b.to - a.to);
    if (first !== undefined) {
      return [first];
    }
  }
  return [];
}
