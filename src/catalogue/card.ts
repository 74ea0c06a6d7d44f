import { z } from "zod";
import { type PurposeGrade, purposes } from "./purpose.ts";

/** What must happen before somebody can use a model. */
const readinessValues = [
  /** Pretrained; useful only after training on the user's data. */
  "base",
  /** Follows instructions and chats. */
  "instruct",
  /** The same, and thinks before it answers. */
  "reasoning",
  /** Made for one job and ready for it. */
  "finetuned",
  /** Ready for classes or words that are named at run time. */
  "zero-shot",
  /** Gives features, or is a starting point for training. */
  "backbone",
  /** Gives vectors and is ready. */
  "embedding",
  /** Makes pictures, sound, video or 3D and is ready. */
  "generator",
  /** Changes another model, without which it does nothing (LoRA, ControlNet). */
  "adapter",
  /** A part of a system (VAE, draft head, vocoder, aligner). */
  "component",
  /** Random or tiny weights for tests of software. */
  "test",
] as const;
type Readiness = (typeof readinessValues)[number];

/** What a model can do besides its task. */
const capabilityValues = [
  "tools",
  "reasoning",
  "vision",
  "audio",
  "video",
  "structured-output",
  "code",
  "fim",
] as const;
type Capability = (typeof capabilityValues)[number];

/** What practitioners know about a model, beyond its facts: an editorial judgement of the catalogue. */
export interface Card {
  /** `owner/model`. */
  name: string;
  /** Best first. */
  purposes: Readonly<Record<string, PurposeGrade>>;
  readiness: Readiness;
  /** The model whose weights it repackages or copies. */
  weights_of?: string;
  /** The format of a repackaging: gguf, awq, mlx … */
  format?: string;
  /**
   * Among open models for the same purposes and of about the same size: 5 one of the best, 4 strong, 3 sensible, 2
   * dated, 1 obsolete, 0 not usable alone.
   */
  standing: number;
  /** The model of the catalogue that replaces it at a similar size. */
  superseded_by?: string;
  /** Its line and generation, such as `qwen 3`. */
  line?: string;
  capabilities?: readonly Capability[];
  /** ISO 639 codes with 1 (usable) to 3 (strong); `mul` stands for a hundred languages or more. */
  languages?: Readonly<Record<string, number>>;
  /**
   * The directions of a translator that has fixed ones: `from-to` in ISO 639 codes; `*` means all of its other
   * languages.
   */
  translates?: readonly string[];
  /** Set only if the sources name no licence, or a wrong one. */
  license?: string;
  /** Set only if the sources give no count, or a wrong one. */
  parameters?: number;
  /** Only for a mixture of experts, as `parameters`. */
  active_parameters?: number;
  /** What it is, with a strength and a limit. */
  description?: string;
  strengths?: readonly string[];
  weaknesses?: readonly string[];
  /** What people may wrongly choose it for. */
  not_for?: string;
  /** What else is needed to use it, such as a vocoder. */
  needs_beside?: string;
  /** Needs that it answers best, in the words of people who do not know it. */
  needs?: readonly string[];
}

/** The card that applies to a model: its own, or one that is derived from another model's card. */
export interface AppliedCard extends Card {
  /** The model that the card was written for, if it is another one. */
  inherited_from?: string;
  /**
   * How that model is related to this one: it has the same `weights`, it is the `base` that this one was trained from,
   * or it belongs to the same `line`.
   */
  inherited_as?: "weights" | "base" | "line";
}

const text = (most: number) => z.string().trim().min(1).max(most);
const phrases = z.array(text(200)).min(1).max(5);
const modelName = z.string().regex(/^[^/\s]+\/[^/\s]+$/, "must be owner/model");

const shape = z.strictObject({
  name: modelName,
  purposes: z
    .record(z.string(), z.union([z.literal(1), z.literal(2), z.literal(3), z.literal("train")]))
    .refine((grades) => Object.keys(grades).length >= 1, "must name a purpose"),
  readiness: z.enum(readinessValues),
  weights_of: modelName.optional(),
  format: text(20).optional(),
  standing: z.int().min(0).max(5),
  superseded_by: modelName.optional(),
  line: text(60).optional(),
  capabilities: z.array(z.enum(capabilityValues)).min(1).optional(),
  languages: z.record(z.string().regex(/^[a-z]{2,3}$/), z.int().min(1).max(3)).optional(),
  translates: z
    .array(z.string().regex(/^(?:[a-z]{2,3}|\*)-(?:[a-z]{2,3}|\*)$/))
    .min(1)
    .optional(),
  license: text(100).optional(),
  parameters: z.number().positive().max(1e14).optional(),
  active_parameters: z.number().positive().max(1e13).optional(),
  description: text(400).optional(),
  strengths: phrases.optional(),
  weaknesses: phrases.optional(),
  not_for: text(200).optional(),
  needs_beside: text(200).optional(),
  needs: z.array(text(400)).min(1).max(12).optional(),
});

/** The area whose purposes need a model that chats, except for those below. */
const TALKING = "chat";
/**
 * Purposes of the area that are no conversations: two want models that are not ready, an adapter may be all that a
 * judge of answers adds to a model, and a text encoder of a picture workflow expands prompts.
 */
const withoutTalk: ReadonlySet<string> = new Set([
  "base-for-finetuning-llm",
  "draft-model",
  "llm-judge",
  "prompt-expansion",
]);
/** The values of readiness of models that do not chat. */
const unready: ReadonlySet<Readiness> = new Set<Readiness>(["base", "backbone", "adapter", "component", "test"]);

/** What the rest of the program knows of the words of an entry. */
export interface KnownWords {
  /** Whether the facts of a licence are known, in any spelling. */
  isLicense(text: string): boolean;
  /** Whether an ISO 639 code names a language; `mul` is none. */
  isLanguage(code: string): boolean;
}

/** Needs with this share of common words say the same. */
const SAME_NEED = 0.7;

/** The problems of an entry of the catalogue; empty if it has none. `line` is its JSON. */
export function cardProblems(line: string, known: KnownWords): string[] {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return ["it is not JSON"];
  }
  const parsed = shape.safeParse(json);
  if (!parsed.success) {
    return parsed.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  }
  const card = parsed.data;
  const problems = [...purposeProblems(card), ...languageProblems(card, known), ...needProblems(card.needs ?? [])];
  if (card.license !== undefined && card.license !== "other" && !known.isLicense(card.license)) {
    problems.push(`license: the licence ${card.license} is not known; write other if it has no id`);
  }
  if (card.active_parameters !== undefined && card.parameters !== undefined) {
    if (card.active_parameters > card.parameters) {
      problems.push("active_parameters: must be at most parameters");
    }
  }
  if (card.superseded_by?.toLowerCase() === card.name.toLowerCase()) {
    problems.push("superseded_by: a model cannot replace itself");
  }
  return [...problems, ...missingParts(card)];
}

/** The fewest needs of an entry. */
const LEAST_NEEDS = 5;

/** What an entry must say and does not. Test weights serve nobody who looks for a model. */
function missingParts({ weights_of, readiness, needs = [], strengths, weaknesses, not_for }: Card): string[] {
  // Whether the original of a repackaging has an entry is checked together with the other entries.
  if (weights_of !== undefined || readiness === "test") {
    return [];
  }
  return [
    ...(needs.length < LEAST_NEEDS ? [`needs: name at least ${LEAST_NEEDS} needs that it answers best`] : []),
    ...(strengths === undefined ? ["strengths: name at least one"] : []),
    ...(weaknesses === undefined ? ["weaknesses: name at least one"] : []),
    ...(not_for === undefined ? ["not_for: say what people may wrongly choose it for"] : []),
  ];
}

function purposeProblems({ purposes: graded, readiness }: z.infer<typeof shape>): string[] {
  return Object.entries(graded).flatMap(([id, grade]) => {
    const purpose = purposes().get(id);
    if (purpose === undefined) {
      return [`purposes.${id}: there is no such purpose`];
    }
    const isReady = !unready.has(readiness) || withoutTalk.has(id) || purpose.group !== TALKING;
    if (isReady || grade === 1 || grade === "train") {
      return [];
    }
    return [`purposes.${id}: a model of readiness ${readiness} is not ready for this: ${purpose.name}`];
  });
}

function languageProblems({ languages = {}, translates = [] }: z.infer<typeof shape>, known: KnownWords): string[] {
  const isKnown = (code: string) => code === "mul" || known.isLanguage(code);
  const unknown = Object.keys(languages).filter((code) => !isKnown(code));
  const directions = translates.filter((pair) => !pair.split("-").every((code) => code === "*" || isKnown(code)));
  return [
    ...unknown.map((code) => `languages.${code}: there is no such language`),
    ...directions.map((pair) => `translates: ${pair} names a language that is not known`),
  ];
}

function needProblems(needs: readonly string[]): string[] {
  const words = needs.map((need) => new Set(need.toLowerCase().match(/[\p{L}\p{N}]+/gu)));
  const likeEarlier = (own: ReadonlySet<string>, place: number) =>
    words.findIndex((other, at) => at < place && likeness(own, other) >= SAME_NEED);
  return needs.flatMap((need, place) => {
    if (!/\p{L}/u.test(need)) {
      return [`needs.${place}: has no letters`];
    }
    const like = likeEarlier(words[place] as ReadonlySet<string>, place);
    return like < 0 ? [] : [`needs.${place}: says nearly the same as needs.${like}`];
  });
}

/** The share of the words of two sets that are in both, 0 to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}
