import { loadStaticEncoder } from "../embedding/index.ts";
import { capacityGb, type Device, deviceOf, type HardwareClass, hardwareClasses } from "../hardware/index.ts";
import type { Need } from "./need.ts";
import { type NeedWord, needWords } from "./score/lexical-match.ts";
import { type FittingBoard, fittingBoards } from "./score/measured.ts";
import { paddedWords } from "./score/names-model.ts";
import { deviceOfWish, type SizingLimits } from "./score/sizing.ts";
import type { WantedTask } from "./tasks.ts";
import type { Manner } from "./understand/manner.ts";
import type { PurposeGuess } from "./understand/need-classifier.ts";
import type { Understanding } from "./understand/understand.ts";
import { domainWords } from "./understand/wishes/domain.ts";
import { readWishes } from "./understand/wishes/read-wishes.ts";
import type { Wish } from "./understand/wishes/wish.ts";

/** A need prepared for scoring: everything that is the same for all models. */
export interface Profile {
  /** The wanted tasks with their weights: 1 for the most certain, less for others. */
  tasks: ReadonlyArray<WantedTask & { weight: number }>;
  /** The confidence in the first wanted task, 0 to 1. */
  certainty: number;
  /** The probability that the need asks for no model, 0 to 1. */
  none: number;
  /** What the need wants a model for, most likely first. */
  purposes: readonly PurposeGuess[];
  /** The ids of the purposes that a model may serve to be suitable: those not much less likely than the first. */
  meantPurposes: readonly string[];
  /** The probability that the need means no purpose of the catalogue, 0 to 1. */
  purposeNone: number;
  /** How the caller wants to use a model. */
  manner: Manner;
  /** What matters most among suitable models; absent when nothing in particular does. */
  priority?: "quality" | "speed" | "size";
  /** The boards that compare models for it, the best fitting first. */
  boards: readonly FittingBoard[];
  words: readonly NeedWord[];
  /** The description, for `namesModel`. */
  paddedWords: string;
  /** The description, and what a language model restated of it, if one read it. */
  text: string;
  /** The vector from the inventory's encoder. */
  vector: Float32Array;
  /** The vector from the bundled encoder. */
  plainVector: Float32Array;
  /** The wishes that the caller does not ignore. */
  wishes: readonly Wish[];
  /** Limits of the explicit fields. */
  must: SizingLimits;
  /** Limits of the wishes. */
  wished: SizingLimits;
  /** The memory that the need names, or that its hardware has, in 10^9 bytes; absent when it names none. */
  memoryGb?: number | undefined;
  /** Whether the wishes ask for a small or a large model. */
  sizePreference?: "small" | "large";
  /** Whether a field or a wish names a language. */
  namesLanguage: boolean;
  /** The explicit fields. */
  filter: Need["filter"];
  /** Milliseconds since 1970. */
  now: number;
}

/** A task is wanted if its confidence is at least this share of the first task's confidence. */
const SERVED_SHARE = 0.02;

/** The least confidence in a purpose that a model may serve, as a share of the first one's. */
const MEANT_SHARE = 0.15;

/** The exponent from confidence to weight: a tenth of the first one's confidence leaves more than half the weight. */
const DOUBT = 0.25;

/**
 * Prepares a need for scoring.
 *
 * @param vector the vector from the inventory's encoder.
 * @param now milliseconds since 1970.
 * @param plainVector the vector from the bundled encoder. Default: the need is encoded here.
 */
export function profileOf(
  need: Pick<Need, "description" | "filter" | "ignore" | "priority">,
  understanding: Understanding,
  vector: Float32Array,
  now: number,
  plainVector = loadStaticEncoder().encodeOne(textToEncode(need, understanding)),
): Profile {
  const { filter } = need;
  const wanted = understanding.wishes.filter((wish) => !isIgnored(wish, need.ignore));
  // No fact of a model meets or breaks a priority. So models are not judged by a priority as by a wish.
  const wishes = wanted.filter((wish) => wish.kind !== "priority");
  const priority = priorityOf(need.priority, wanted);
  const tasks = wantedTasks(understanding, filter.taskType);
  const sizes = wishes.filter((wish) => wish.kind === "size");
  const hardware = wishes.filter((wish) => wish.kind === "hardware");
  const speeds = wishes.filter((wish) => wish.kind === "speed");
  const namedDevice = deviceNamed(hardware);
  const must = limitsOf(filter, namedDevice);
  const wished: SizingLimits = {
    maxSizeGb: sizes.find((wish) => wish.maxSizeGb !== undefined)?.maxSizeGb,
    device: namedDevice,
    memoryGb: hardware.find((wish) => wish.memoryGb !== undefined)?.memoryGb,
    minTokensPerSecond: speeds.find((wish) => wish.minTokensPerSecond !== undefined)?.minTokensPerSecond,
  };
  return {
    tasks,
    certainty: filter.taskType === undefined ? certaintyOf(understanding) : 1,
    // A caller who sets a task type asks for a model.
    none: filter.taskType === undefined ? understanding.none : 0,
    purposes: understanding.purposes,
    meantPurposes: meantPurposes(understanding.purposes),
    purposeNone: filter.taskType === undefined ? understanding.purposeNone : 0,
    manner: understanding.manner,
    priority,
    boards: fittingBoards(understanding.purposes, wishes, filter.languages),
    words: needWords(withoutWishes(need.description, wishes), fieldsOf(wishes)),
    paddedWords: paddedWords(need.description),
    text: textToEncode(need, understanding),
    vector,
    plainVector,
    wishes,
    must,
    wished,
    memoryGb: memoryOfNeed({ must, wished, filter }),
    // A smaller model is faster, so a wish for speed prefers small models.
    sizePreference:
      sizes.find((wish) => wish.preference !== undefined)?.preference ??
      (speeds.length > 0 || priority === "speed" || priority === "size" ? "small" : undefined),
    namesLanguage: filter.languages !== undefined || wishes.some((wish) => wish.kind === "language"),
    filter,
    now,
  };
}

/** The text of a need whose vector is compared with those of models: the description, with other words for it. */
export function textToEncode({ description }: Pick<Need, "description">, { restated }: Understanding): string {
  return restated === undefined ? description : `${description}\n${restated}`;
}

/** The device that wishes name, if any. */
function deviceNamed(wishes: readonly Wish[]): Device | undefined {
  const named = wishes.find((wish) => wish.kind === "hardware" && wish.hardwareClass !== undefined);
  return named?.kind === "hardware" ? deviceOfWish(named) : undefined;
}

/** Whether the description of a need names hardware, in words that the caller does not ignore. */
export function namesHardware({ description, ignore }: Pick<Need, "description" | "ignore">): boolean {
  return deviceNamed(readWishes(description).filter((wish) => !isIgnored(wish, ignore))) !== undefined;
}

/** The limits of the explicit fields. A speed without hardware applies to the device that the words name. */
function limitsOf({ maxSizeGb, hardware, device, minTokensPerSecond }: Need["filter"], named?: Device): SizingLimits {
  const reference = hardware === undefined ? undefined : hardwareClasses[hardware as HardwareClass];
  const asked = device === undefined ? reference : deviceOf(device);
  return { maxSizeGb, minTokensPerSecond, device: asked ?? (minTokensPerSecond === undefined ? undefined : named) };
}

/** The memory that a need names, or that its hardware has, in 10^9 bytes; undefined when it names none. */
export function memoryOfNeed({
  must,
  wished,
  filter,
}: Pick<Profile, "must" | "wished" | "filter">): number | undefined {
  const device = must.device ?? wished.device;
  const named = filter.device === undefined ? wished.memoryGb : undefined;
  return named ?? (device && capacityGb(device));
}

/** The wishes that facts of a model decide. So their words need not occur in the model's text. */
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

/** The priority: the stated field, otherwise what the words say. */
function priorityOf(stated: Need["priority"], wanted: readonly Wish[]): Profile["priority"] {
  const read = wanted.find((wish) => wish.kind === "priority");
  const priority = stated ?? read?.priority;
  return priority === "balanced" ? undefined : priority;
}

function isIgnored(wish: Wish, ignore: readonly string[]): boolean {
  return ignore.includes(wish.kind) || ignore.includes(`${wish.kind}:${wish.value}`);
}

/** The tasks to serve: of the requested type, if there is one, and not much less certain than the first. */
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

function meantPurposes(purposes: readonly PurposeGuess[]): string[] {
  const least = MEANT_SHARE * (purposes[0]?.confidence ?? 0);
  return purposes.filter(({ confidence }) => confidence >= least).map(({ purpose }) => purpose);
}

/** The confidence in the most certain task. The two parts of a need share the confidences. */
function certaintyOf({ tasks }: Understanding): number {
  const areTwo = tasks.some(({ part }) => part !== undefined);
  return Math.min(1, (tasks[0]?.confidence ?? 0) * (areTwo ? 2 : 1));
}
