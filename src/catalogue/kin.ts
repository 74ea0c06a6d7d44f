import type { AppliedCard } from "./card.ts";

/** The best standing of a model that nobody has judged: a new model of a good line is probably good. */
const LINE_STANDING = 4;
const TUNED_STANDING = 3;
/** Sizes further apart than this factor are not of one class. */
const SIZE_CLASS = 3;

/** Words of a name that do not make it another kind of model. */
const neutral: ReadonlySet<string> = new Set(
  "it instruct chat preview hf bf16 fp16 fp8 v latest new release exp final fast large base small medium".split(" "),
);
/** The neutral words that tell base models and models that follow instructions apart. */
const stated: ReadonlySet<string> = new Set("it instruct chat base".split(" "));

/** A name in its parts: who owns it, its words, its size and its generation. */
interface NameParts {
  owner: string;
  /** The words that say the kind of model, sorted; the line's name is one of them. */
  kind: string;
  /** Whether it is called a base model, one that follows instructions, or neither. */
  state: string;
  /** Parameters, as the name states them. */
  size?: number;
  /** The first number that is not a size: 3.6 of Qwen3.6. */
  generation: number;
}

/** Reads the parts of `owner/model`, in lower case. */
export function namePartsOf(key: string): NameParts {
  const [owner = "", name = ""] = key.split("/");
  const sizes = [...name.matchAll(/(?<![a-z\d.])(\d{1,4}(?:\.\d{1,3})?)([bm])(?![a-z\d])/g)];
  const [size] = sizes;
  const rest = sizes.reduce((text, [found]) => text.replace(found, " "), name);
  const words = rest.match(/[a-z]+/g) ?? [];
  // Four digits are a date: 2507.
  const [generation] = rest.match(/(?<!\d)\d{1,2}(?:\.\d{1,2})?(?!\d)/) ?? ["0"];
  const kinds = new Set(words.filter((word) => !neutral.has(word) && word.length > 1));
  const state = words.find((word) => stated.has(word)) ?? "";
  return {
    owner,
    kind: [...kinds].sort().join(" "),
    state: state === "base" ? "base" : state === "" ? "" : "instruct",
    ...(size !== undefined && { size: Number(size[1]) * (size[2] === "b" ? 1e9 : 1e6) }),
    generation: Number(generation),
  };
}

/** Finds the nearest model of the same line that has a card: same owner, same words, about the same size, the newest. */
export function kinFinder(cards: Iterable<AppliedCard>): (key: string) => AppliedCard | undefined {
  const lines = new Map<string, Array<{ parts: NameParts; card: AppliedCard }>>();
  for (const card of cards) {
    if (card.readiness === "test" || card.weights_of !== undefined) {
      continue;
    }
    const parts = namePartsOf(card.name.toLowerCase());
    const line = `${parts.owner}/${parts.kind}`;
    const known = lines.get(line) ?? [];
    known.push({ parts, card });
    lines.set(line, known);
  }
  return (key) => {
    const own = namePartsOf(key);
    if (own.kind === "") {
      return undefined;
    }
    const near = (lines.get(`${own.owner}/${own.kind}`) ?? []).filter(
      ({ parts, card }) => card.name.toLowerCase() !== key && isNear(own, parts),
    );
    const [best] = near.sort(
      (a, b) => distance(own, a.parts) - distance(own, b.parts) || (a.card.name < b.card.name ? -1 : 1),
    );
    return best?.card;
  };
}

function isNear(a: NameParts, b: NameParts): boolean {
  const ratio = ratioOf(a, b);
  const areOpposed = (a.state === "base") !== (b.state === "base");
  return !areOpposed && (ratio === undefined || ratio <= SIZE_CLASS);
}

function ratioOf(a: NameParts, b: NameParts): number | undefined {
  return a.size === undefined || b.size === undefined ? undefined : Math.max(a.size / b.size, b.size / a.size);
}

/** A newer generation of another size is nearer than an older one of the same size. */
function distance(own: NameParts, other: NameParts): number {
  const generations = Math.abs(own.generation - other.generation);
  return generations + Math.log2(ratioOf(own, other) ?? 1.5) + (own.state === other.state ? 0 : 0.25);
}

/** The card of a newer or unlisted model of a line: the parts of its relative's card that also hold for it. */
export function cardOfLine(kin: AppliedCard, key: string): AppliedCard {
  const { standing, superseded_by: _replaced, ...shared } = inheritable(kin);
  return {
    ...shared,
    name: key,
    standing: Math.min(standing, LINE_STANDING),
    inherited_from: kin.name,
    inherited_as: "line",
  };
}

/**
 * The card of a model that was trained further from a base. The grades 3 and 2 of the base become 2 and 1, because the
 * training may have changed what the model does well.
 */
export function cardOfTuned(base: AppliedCard, key: string): AppliedCard {
  const { standing, superseded_by: _replaced, ...shared } = inheritable(base);
  const grades = Object.entries(base.purposes).map(([id, grade]) => [id, grade === 3 ? 2 : grade === 2 ? 1 : grade]);
  return {
    ...shared,
    name: key,
    purposes: Object.fromEntries(grades),
    standing: Math.max(1, Math.min(standing - 1, TUNED_STANDING)),
    inherited_from: base.name,
    inherited_as: "base",
  };
}

/** A card without the fields that describe one model only. */
function inheritable(card: AppliedCard): AppliedCard {
  const { description, strengths, weaknesses, license, parameters, active_parameters, format, needs, ...shared } = card;
  return shared;
}
