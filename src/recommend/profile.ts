import type { Need } from "./need.ts";
import { type NeedWords, needWords } from "./score/lexical-match.ts";
import { paddedWords } from "./score/names-model.ts";
import type { SizingLimits } from "./score/sizing.ts";
import type { WordSimilarity } from "./score/word-similarity.ts";
import type { WantedTask } from "./tasks.ts";
import type { Understanding } from "./understand/understand.ts";
import { domainWords } from "./understand/wishes/domain.ts";
import type { Wish } from "./understand/wishes/wish.ts";

/** A need made ready for judging many models: everything that is the same for all of them. */
export interface Profile {
  /** The tasks to serve, each with its weight: 1 for the most certain, less for others. */
  tasks: ReadonlyArray<WantedTask & { weight: number }>;
  /** How certain it is that the first of these is meant, 0 to 1. */
  certainty: number;
  /** How likely no model of any task is meant, 0 to 1. */
  none: number;
  words: NeedWords;
  /** The description, for finding names of models in it. */
  paddedWords: string;
  vector: Float32Array;
  /** The wishes that are not disregarded. */
  wishes: readonly Wish[];
  must: SizingLimits;
  wished: SizingLimits;
  /** Whether a small or a large model is wished for. */
  sizePreference?: "small" | "large";
  /** Whether a language is asked for by a field or the words. */
  namesLanguage: boolean;
  /** What was told by an explicit field and need not be repeated as a wish. */
  filter: Need["filter"];
  /** Milliseconds since 1970. */
  now: number;
}

/** A task whose confidence is below this share of the first one's is not served. */
const SERVED_SHARE = 0.02;

/** How fast doubt takes weight off a task: a tenth of the first one's confidence leaves more than half. */
const DOUBT = 0.25;

/**
 * Makes a need ready for judging.
 *
 * @param similarityOf compares its words with those of texts. Default: for one need and many texts.
 */
export function profileOf(
  need: Pick<Need, "description" | "filter" | "ignore">,
  understanding: Understanding,
  vector: Float32Array,
  now: number,
  similarityOf?: (words: readonly string[]) => WordSimilarity,
): Profile {
  const { filter } = need;
  const wishes = understanding.wishes.filter((wish) => !isIgnored(wish, need.ignore));
  const tasks = wantedTasks(understanding, filter.taskType);
  const sizes = wishes.filter((wish) => wish.kind === "size");
  const hardware = wishes.filter((wish) => wish.kind === "hardware");
  const speeds = wishes.filter((wish) => wish.kind === "speed");
  return {
    tasks,
    certainty: filter.taskType === undefined ? certaintyOf(understanding) : 1,
    // Whoever names a task type means a model.
    none: filter.taskType === undefined ? understanding.none : 0,
    words: needWords(withoutWishes(need.description, wishes), similarityOf, fieldsOf(wishes)),
    paddedWords: paddedWords(need.description),
    vector,
    wishes,
    must: { maxSizeGb: filter.maxSizeGb, hardware: filter.hardware },
    wished: {
      maxSizeGb: sizes.find((wish) => wish.maxSizeGb !== undefined)?.maxSizeGb,
      hardware: hardware.find((wish) => wish.hardwareClass !== undefined)?.hardwareClass,
      memoryGb: hardware.find((wish) => wish.memoryGb !== undefined)?.memoryGb,
      minTokensPerSecond: speeds.find((wish) => wish.minTokensPerSecond !== undefined)?.minTokensPerSecond,
    },
    // Of two models that do the same, the smaller one is the faster.
    sizePreference:
      sizes.find((wish) => wish.preference !== undefined)?.preference ?? (speeds.length > 0 ? "small" : undefined),
    namesLanguage: filter.languages !== undefined || wishes.some((wish) => wish.kind === "language"),
    filter,
    now,
  };
}

/** Wishes that are judged by figures and facts; their words need not stand in a model's text too. */
const judgedByFacts: ReadonlySet<Wish["kind"]> = new Set<Wish["kind"]>([
  "size",
  "hardware",
  "license",
  "context",
  "speed",
  "privacy",
  "avoid",
]);

function withoutWishes(description: string, wishes: readonly Wish[]): string {
  return wishes.reduce(
    (text, wish) => (judgedByFacts.has(wish.kind) ? text.replace(wish.words, " ") : text),
    description,
  );
}

function fieldsOf(wishes: readonly Wish[]): Array<readonly string[]> {
  return wishes.flatMap((wish) => (wish.kind === "domain" ? [domainWords(wish.domain)] : []));
}

function isIgnored(wish: Wish, ignore: readonly string[]): boolean {
  return ignore.includes(wish.kind) || ignore.includes(`${wish.kind}:${wish.value}`);
}

/** The tasks of the type that was asked for, if one was; else all that are about as certain as the first. */
function wantedTasks(understanding: Understanding, taskType: string | undefined): Profile["tasks"] {
  const allowed = understanding.tasks.filter((task) => taskType === undefined || task.taskType === taskType);
  const top = allowed[0]?.confidence ?? 0;
  return allowed
    .filter((task) => task.confidence >= SERVED_SHARE * top)
    .map(({ task, taskType: type, confidence, part }) => ({
      task,
      taskType: type,
      weight: (confidence / top) ** DOUBT,
      ...(part !== undefined && { part }),
    }));
}

/** The confidence in the surest task. Two needs share the confidences. */
function certaintyOf({ tasks }: Understanding): number {
  const areTwo = tasks.some(({ part }) => part !== undefined);
  return Math.min(1, (tasks[0]?.confidence ?? 0) * (areTwo ? 2 : 1));
}
