import type { Found } from "../wish.ts";
import { isNegated } from "./negation.ts";
import type { Text } from "./text.ts";

/**
 * A rule reads wishes wherever one of its phrases occurs.
 *
 * A phrase is words with blanks between; a blank stands for blanks or a hyphen in the text. `a|b` is either word,
 * `the?` is an optional word, `licen*` is the beginning of a word, `#` is any number. The first word has none of the
 * last three.
 */
export interface Rule {
  phrases: readonly string[];
  /** Whether negated phrases are no wish: `read` is not called for them. Default: it decides this itself. */
  unlessNegated?: true;
  /** Reads the wishes at tokens `from` to `to`, both inclusive; undefined when the context rules them out. */
  read(text: Text, from: number, to: number): Found | readonly Found[] | undefined;
}

interface Step {
  words: ReadonlySet<string>;
  beginnings: readonly string[];
  number: boolean;
  optional: boolean;
}

interface CompiledPhrase {
  /** The steps after the first word. */
  rest: readonly Step[];
  rule: Rule;
}

/** Rules by the first word of their phrases. */
export type RuleIndex = ReadonlyMap<string, readonly CompiledPhrase[]>;

/**
 * Prepares rules for lookup.
 * @throws Error if a phrase breaks the grammar of `Rule`.
 */
export function indexRules(rules: readonly Rule[]): RuleIndex {
  const index = new Map<string, CompiledPhrase[]>();
  for (const rule of rules) {
    for (const phrase of rule.phrases) {
      const [first, ...rest] = phrase.split(" ").map(compileStep);
      if (first === undefined || first.optional || first.number || first.beginnings.length > 0 || first.words.has("")) {
        throw new Error(`A phrase must start with a plain word: "${phrase}"`);
      }
      for (const word of first.words) {
        const compiled = index.get(word);
        if (compiled === undefined) {
          index.set(word, [{ rest, rule }]);
        } else {
          compiled.push({ rest, rule });
        }
      }
    }
  }
  return index;
}

/** Returns the wishes of all rules, in the order of the text. */
export function findAll(text: Text, index: RuleIndex): Found[] {
  const found: Found[] = [];
  for (let from = 0; from < text.tokens.length; from++) {
    const compiled = index.get(text.word(from));
    if (compiled === undefined) {
      continue;
    }
    for (const { rest, rule } of compiled) {
      const to = matchSteps(text, from, rest, 0);
      if (to === undefined || (rule.unlessNegated && isNegated(text, from, to))) {
        continue;
      }
      const read = rule.read(text, from, to);
      if (read === undefined) {
        continue;
      }
      if ("wish" in read) {
        found.push(read);
      } else {
        found.push(...read);
      }
    }
  }
  return found;
}

function compileStep(source: string): Step {
  const optional = source.endsWith("?");
  const alternatives = (optional ? source.slice(0, -1) : source).split("|");
  if (alternatives.some((word) => word === "" || word.includes("?"))) {
    throw new Error(`Not a step of a phrase: "${source}"`);
  }
  return {
    words: new Set(alternatives.filter((word) => !word.endsWith("*") && word !== "#")),
    beginnings: alternatives.filter((word) => word.endsWith("*")).map((word) => word.slice(0, -1)),
    number: alternatives.includes("#"),
    optional,
  };
}

/** Returns the last token of the longest match of the steps after `at`; undefined when they do not match. */
function matchSteps(text: Text, at: number, steps: readonly Step[], from: number): number | undefined {
  const step = steps[from];
  if (step === undefined) {
    return at;
  }
  const word = text.after(at);
  if (word !== "" && stepTakes(step, word)) {
    const to = matchSteps(text, at + 1, steps, from + 1);
    if (to !== undefined) {
      return to;
    }
  }
  return step.optional ? matchSteps(text, at, steps, from + 1) : undefined;
}

function stepTakes(step: Step, word: string): boolean {
  if (step.words.has(word)) {
    return true;
  }
  if (step.number && word >= "0" && word < ":") {
    return true;
  }
  return step.beginnings.some((beginning) => word.startsWith(beginning));
}
