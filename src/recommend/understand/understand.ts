import { type Purpose, purposes as purposesOfCatalogue } from "../../catalogue/index.ts";
import type { TaskType } from "../../inventory/index.ts";
import type { ModelReading } from "./language-model-reading.ts";
import { type Manner, readManner } from "./manner.ts";
import {
  type Classification,
  loadNeedClassifier,
  type PurposeGuess,
  type PurposeReading,
  type TaskGuess,
} from "./need-classifier.ts";
import { readWishes } from "./wishes/read-wishes.ts";
import { words } from "./wishes/text/text.ts";
import type { Wish, WishKind } from "./wishes/wish.ts";

/** Who can read a part of a description: the rules and classifiers of this program, or a language model. */
export const readingSources = ["built-in", "language-model"] as const;

export type ReadingSource = (typeof readingSources)[number];

/** A task that a description means. */
export interface UnderstoodTask {
  /** The hub's task label. */
  task: string;
  taskType: TaskType;
  /** 0 to 1. */
  confidence: number;
  /** If the description has two needs: 1 for the task of the first, 2 for the task of the second. */
  part?: 1 | 2;
  /** Who read it; absent if no language model is set up. */
  source?: ReadingSource;
}

/** The meaning of a description, without the explicit fields. */
export interface Understanding {
  /** Most certain first. */
  tasks: UnderstoodTask[];
  /** The probability that the description asks for no model, 0 to 1. */
  none: number;
  /** What it wants a model for, most likely first. */
  purposes: PurposeGuess[];
  /** The probability that no purpose of the catalogue is meant, 0 to 1. */
  purposeNone: number;
  /** How the caller wants to use the model. */
  manner: Manner;
  /** In the order of their words in the description. */
  wishes: SourcedWish[];
  /** The need in the plain English of a language model, for classifiers and encoders only. */
  restated?: string | undefined;
}

/** A wish, and who read it; absent if no language model is set up. */
export type SourcedWish = Wish & { source?: ReadingSource };

/** Tasks less certain than this are noise. */
const LEAST_CONFIDENCE = 0.02;
/** The most tasks of a description. */
const MOST_TASKS = 5;

/** Finds the tasks and wishes of a description. Pure and deterministic; never throws. */
export function understand(description: string): Understanding {
  return combine(description, classify(description, readWishes(description)));
}

/** What a classifier reads in a need. */
type Reading = Pick<Readings, "byTask" | "byPurpose">;

/**
 * Reads the tasks and purposes. A short need that names no job, such as "2x 3090" or "best model", is for a general
 * assistant, and so is one in which the classifier finds no job, if it asks for a language model or what to run on a machine.
 */
function classify(description: string, wishes: Wish[]): Readings {
  const classifier = loadNeedClassifier();
  if (description.length > MOST_CHARACTERS) {
    return { ...classifier.classify(description), wishes };
  }
  const read = classifier.classify(spelledOut(description));
  const isForAssistant = namesNoJob(description, wishes)
    ? !isClearChat(read)
    : isUnclear(read) && asksForAssistant(description, wishes, read.byTask.none);
  return { ...(isForAssistant ? assumed(classifier.classify(GENERAL)) : read), wishes };
}

/** How likely a need without a job is one for a general assistant, and not for pictures or speech. */
const ASSUMED = 0.9;

/** A reading that no word of the need says. */
function assumed({ byTask, byPurpose }: Reading): Reading {
  const tasks = byTask.tasks.map((task) => ({ ...task, confidence: ASSUMED * task.confidence }));
  return { byTask: { ...byTask, tasks }, byPurpose };
}

/** The most characters of a search: longer texts explain themselves. */
const MOST_CHARACTERS = 160;
/** What people ask for who only name their machine. */
const GENERAL = "best local llm";

const mostOf = (guesses: ReadonlyArray<{ confidence: number }>) =>
  guesses.reduce((highest, { confidence }) => Math.max(highest, confidence), 0);

/** Whether the classifier knows which kind of language model is wanted. */
function isClearChat({ byTask: { tasks }, byPurpose: { purposes } }: Reading): boolean {
  const chat = tasks.find(({ task }) => task === "text-generation")?.confidence ?? 0;
  return chat >= 0.8 && mostOf(purposes) >= 0.3;
}

/** No job was found if the first task and the first purpose are below both confidences of a row. */
const unclear = [
  { task: 0.35, purpose: 0.1 },
  { task: 0.2, purpose: 0.3 },
] as const;

function isUnclear({ byTask, byPurpose }: Reading): boolean {
  const [task, purpose] = [mostOf(byTask.tasks), mostOf(byPurpose.purposes)];
  return unclear.some((least) => task < least.task && purpose < least.purpose);
}

/** Words for a language model, and a number of parameters: "70b". */
const languageModelWord = /\b(?:llms?|language models?|chatgbt|grok|\d{1,3}b)\b/i;
/** Words of people who name a machine and ask what to run on it. */
const anyModelWord =
  /\b(?:(?:i|we|you|to|worth|everyone|everyone's|people) run(?:ning)?|general|(?:which|what|best) models?|moe|bit of everything|all-?round(?:er)?|smartest|most capable|daily driver)\b/i;
/** Another model or service says what the model is wanted for. */
const namesExample = /\b(?:like|similar|alternative|instead|replacement)\b/i;

/** From this probability on, the description may ask for no model. */
const NO_MODEL = 0.8;

/** @param none the probability that the description asks for no model. */
function asksForAssistant(description: string, wishes: readonly Wish[], none: number): boolean {
  const namesMachine = wishes.some(({ kind }) => kind === "hardware");
  if (languageModelWord.test(description)) {
    return namesMachine || none < NO_MODEL;
  }
  return namesMachine && none < NO_MODEL && anyModelWord.test(description) && !namesExample.test(description);
}

/** Abbreviations of searches that the classifier has not learned. */
const abbreviations: ReadonlyArray<readonly [RegExp, string]> = [
  [/\berp(?= (?:models?|chat|bot|llms?|gguf))/gi, "erotic roleplay"],
  [/\brp\b/gi, "roleplay"],
  [/\b(?:img2vid|i2v)\b/gi, "image to video"],
  [/\bimg2img\b/gi, "image to image"],
  [/\b(?:txt2img|t2i)\b/gi, "text to image"],
  [/\b(?:txt2vid|t2v)\b/gi, "text to video"],
  [/\b(?:img|pic|image) gen\b/gi, "image generation"],
  [/\b(?:vid|video) gen\b/gi, "video generation"],
  [/\b(music|song|code|voice) gen\b/gi, "$1 generation"],
  [/\bimgs?\b/gi, "images"],
  [/\bvids?\b/gi, "videos"],
  [/\bvlms?\b/gi, "vision language model"],
  [/\bfim\b/gi, "fill in the middle"],
  [/\bvn\b/gi, "visual novel"],
  [/\bgen(?:rator|erater|eretor)\b/gi, "generator"],
  [/\b(?:grok|chat ?gbt)\b/gi, "chatgpt"],
  [/\b(?:kling|hailuo)\b/gi, "sora"],
  [/\b(?:windsurf|cursor)(?= (?:but|alternative|replacement|like|self|local|clone))/gi, "copilot"],
];

/** A search with its abbreviations written out. */
function spelledOut(description: string): string {
  return abbreviations.reduce((text, [pattern, meaning]) => text.replace(pattern, meaning), description);
}

/** The most words of a need that may name no job. */
const MOST_WORDS = 20;
/** Words that say nothing about the job. */
const emptyWords = words(
  "a an the and or with without only also on in at to of for from by my our your me i we you it its that this these there",
  "is are am be was do does can could should would will may has have had get got use using used want need needs like please",
  "what which whats what's some any something anything one best good great better top strongest smartest most latest newest",
  "new current currently now today right yet out possible recommended recommend recommendation recommendations suggest",
  "suggestion suggestions looking find choose pick model models llm llms ai gguf run runs running fit fits work works local",
  "locally offline home self hosted host hosting open source weight weights free private machine computer pc laptop setup rig",
  "box build server desktop gpu gpus card cards vram ram memory gb cpu cpus igpu dgpu ddr3 ddr4 ddr5 ssd nvme intel amd nvidia",
  "geforce core ryzen epyc xeon threadripper dual two single no plus old used cheap little small big just still so i'm i've rn",
  "ollama lm studio lmstudio cpp llamacpp koboldcpp vllm pull load download install installed first start people everyone",
  "these days smart good decent useful actually really thing things general purpose all rounder allrounder moe moes size worth",
  "super ti xt xtx ultra max pro mini air mobile total experts big",
);
/** Words for a model. */
const modelWord = /\b(?:models?|llms?|ai|gguf|moe|ollama|lm studio|lmstudio)\b/i;
/** Figures of a machine: its memory, the number of a processor. */
const figure = /^x?\d{1,5}(?:gi?b|g|[a-z]{1,2})?$/;
/** Questions about a machine to buy. */
const machineWanted =
  /\b(?:best|which|what|good|cheap\w{0,3}|buy|better)\s(?:gpu|graphics|card|laptop|pc|computer|machine|mac|server|setup|rig)\b/i;
/** Wishes that do not say what the model is wanted for. */
const aboutAnyModel: ReadonlySet<WishKind> = new Set<WishKind>(["hardware", "size", "priority", "privacy", "license"]);

/** Whether a description asks for a model, and names a machine or wishes but no job: "what can I run on a 3060". */
function namesNoJob(description: string, wishes: readonly Wish[]): boolean {
  if (!wishes.every(({ kind }) => aboutAnyModel.has(kind))) {
    return false;
  }
  const namesMachine = wishes.some(({ kind }) => kind === "hardware");
  const asksForModel = modelWord.test(description) || namesMachine;
  if (!asksForModel || machineWanted.test(description)) {
    return false;
  }
  const rest = wishes.reduce((text, wish) => text.replace(wish.words, " "), description).toLowerCase();
  const said = rest.match(/[\p{L}\p{N}']+/gu) ?? [];
  const isEmpty = (word: string) => emptyWords.has(word) || (namesMachine && figure.test(word));
  return said.length <= MOST_WORDS && said.every(isEmpty);
}

/**
 * As `understand`, with what a language model read. Its tasks replace the built-in ones. Its wishes are added; of a kind
 * that allows one wish, they replace the built-in one. A wish that both read stays as the built-in rules read it.
 *
 * @param reading undefined if the language model was not asked or gave no valid answer.
 */
export function understandWith(description: string, reading: ModelReading | undefined): Understanding {
  const wishes = readWishes(description);
  const { byTask: builtIn, byPurpose } = classify(description, wishes);
  if (reading === undefined) {
    return withSources(combine(description, { byTask: builtIn, byPurpose, wishes }), "built-in");
  }
  const partOf = ({ task, taskType }: TaskGuess) =>
    builtIn.tasks.find((known) => known.task === task && known.taskType === taskType)?.part;
  // The parts of a need count only if both have a task.
  const hasParts = [1, 2].every((part) => reading.tasks.some((task) => partOf(task) === part));
  const tasks = reading.tasks.map((task) => ({ ...task, ...(hasParts && { part: partOf(task) }) }));
  const rest = 1 - tasks.reduce((sum, { confidence }) => sum + confidence, 0);
  const merged = mergeWishes(wishes, reading.wishes).sort(
    (a, b) => description.indexOf(a.words) - description.indexOf(b.words),
  );
  const none = Math.max(0, Math.min(builtIn.none, rest));
  const { restated } = reading;
  const restatedPurpose = restated === undefined ? byPurpose : loadNeedClassifier().classify(restated).byPurpose;
  const understanding = combine(description, {
    byTask: { tasks, none },
    byPurpose: restatedPurpose,
    wishes: [],
    tasksOfModel: true,
  });
  return withSources({ ...understanding, wishes: merged, restated }, "language-model");
}

/** Kinds of which a description has one wish. */
const singleKinds: ReadonlySet<WishKind> = new Set<WishKind>([
  "size",
  "hardware",
  "license",
  "context",
  "speed",
  "priority",
]);

/** Whether a wish names hardware that fits and speeds can be judged on. */
const hasClass = (wish: Wish) => wish.kind === "hardware" && wish.hardwareClass !== undefined;

/** Of each kind that may occur once, it keeps one wish: the first, or for hardware the first that has a class. */
function withoutRepeats(wishes: readonly Wish[]): Wish[] {
  const chosen = (kind: WishKind) => {
    const ofKind = wishes.filter((wish) => wish.kind === kind);
    return ofKind.find(hasClass) ?? ofKind[0];
  };
  return wishes.filter((wish) => !singleKinds.has(wish.kind) || wish === chosen(wish.kind));
}

function mergeWishes(builtIn: readonly Wish[], answered: readonly Wish[]): SourcedWish[] {
  // Fit and a least speed are judged on the class of the hardware, so only another class replaces one.
  const keepsHardware = builtIn.some(hasClass);
  const read = withoutRepeats(answered).filter((wish) => wish.kind !== "hardware" || !keepsHardware || hasClass(wish));
  const isIn = (wishes: readonly Wish[], { kind, value }: Wish) =>
    wishes.some((other) => other.kind === kind && other.value === value);
  const isReplaced = (wish: Wish) =>
    singleKinds.has(wish.kind) && read.some(({ kind }) => kind === wish.kind) && !isIn(read, wish);
  return [
    ...builtIn.filter((wish) => !isReplaced(wish)).map((wish): SourcedWish => ({ ...wish, source: "built-in" })),
    ...read.filter((wish) => !isIn(builtIn, wish)),
  ];
}

/** Names the source of every task, and of the wishes that have none yet. */
function withSources(understanding: Understanding, source: ReadingSource): Understanding {
  const { tasks, wishes } = understanding;
  return {
    ...understanding,
    tasks: tasks.map((task) => ({ ...task, source })),
    wishes: wishes.map((wish) => ({ ...wish, source: wish.source ?? source })),
  };
}

/** The parts of an understanding before they are combined. */
interface Readings {
  byTask: Classification;
  byPurpose: PurposeReading;
  wishes: Wish[];
  /**
   * Whether a language model read the tasks, so that they correct the purposes. The tasks of the classifier do not: one
   * network reads both, and correcting made the purposes of graded needs slightly worse.
   */
  tasksOfModel?: boolean;
}

function combine(description: string, { byTask, byPurpose, wishes, tasksOfModel }: Readings): Understanding {
  const { tasks, none } = byTask;
  const manner = readManner(description);
  const whole = drafts.test(description) ? byPurpose : withoutDrafts(byPurpose);
  const ready = withoutTraining(whole, manner.training);
  const { purposes, none: purposeNone } = tasksOfModel ? agreedPurposes(ready, byTask) : likeliestPurposes(ready);
  return {
    tasks: tasks.filter((task) => task.confidence >= LEAST_CONFIDENCE).slice(0, MOST_TASKS),
    none,
    purposes,
    purposeNone,
    manner,
    wishes,
  };
}

/** Words of people who want a draft model for speculative decoding. */
const drafts = /\b(?:draft\w{0,4}|specul\w{1,9}|eagle|medusa|mtp)\b/i;

/** Reads a need for a draft model as one for a whole model: "llama 70b" asks for the model, not for its draft model. */
function withoutDrafts({ purposes, none }: PurposeReading): PurposeReading {
  const confidence = purposes.find(({ purpose }) => purpose === "draft-model")?.confidence ?? 0;
  const changed = purposes.map((guess) => {
    if (guess.purpose === "draft-model") {
      return { ...guess, confidence: 0 };
    }
    return guess.purpose === "general-assistant" ? { ...guess, confidence: guess.confidence + confidence } : guess;
  });
  return { purposes: changed, none };
}

/** The share of the confidence in training that goes to ready models, if no word mentions training. */
const READY_SHARE = { none: 0.95, untold: 0.7, possible: 0.2, wanted: 0 } as const;

/** For each purpose that needs training, the purpose for people who do not want to train. */
let readyFor: ReadonlyMap<string, string> | undefined;

/** Lowers the purposes that need training, because a need that does not mention training asks for a ready model. */
export function withoutTraining({ purposes, none }: PurposeReading, training: Manner["training"]): PurposeReading {
  readyFor ??= new Map(
    [...purposesOfCatalogue().values()].flatMap(({ id, ready }) => (ready === undefined ? [] : [[id, ready]])),
  );
  const share = READY_SHARE[training];
  const moved = new Map<string, number>();
  for (const { purpose, confidence } of purposes) {
    const ready = readyFor.get(purpose);
    if (ready !== undefined) {
      moved.set(ready, (moved.get(ready) ?? 0) + confidence * share);
    }
  }
  const changed = purposes.map((guess) => {
    const { purpose, confidence } = guess;
    const kept = readyFor?.has(purpose) ? confidence - confidence * share : confidence;
    const got = moved.get(purpose);
    return got === undefined && kept === confidence ? guess : { purpose, confidence: kept + (got ?? 0) };
  });
  return { purposes: changed, none };
}

/** The most purposes of a description, and the least confidence of each. */
const MOST_PURPOSES = 8;
const LEAST_PURPOSE = 0.01;
/** How much a task adds to a purpose that lists it first, second and so on. */
const BY_PLACE = [1, 0.7, 0.5, 0.4, 0.3] as const;
/** The group of purposes about writing programs. The tasks have their own class for it. */
const CODE = "code";
/** The factor for the task of writing prose if the purpose is code, and for writing code if it is another purpose. */
const OTHER_TEXT = 0.3;
/** The least factor of a purpose, if no task of its models is likely at all. */
const FLOOR = 0.015;

/** The likeliest purposes, most likely first. */
function likeliestPurposes({ purposes, none }: PurposeReading): PurposeReading {
  const found = purposes
    .filter(({ confidence }) => confidence >= LEAST_PURPOSE)
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, MOST_PURPOSES);
  return { purposes: found, none };
}

/**
 * Corrects the purposes that the classifier read by the tasks that a language model read. Each purpose counts as far as
 * the tasks that can serve it are likely.
 */
export function agreedPurposes(read: PurposeReading, { tasks, none }: Classification): PurposeReading {
  const known = purposesOfCatalogue();
  const shares = new Map<string, number>();
  for (const { task, taskType, confidence } of tasks) {
    const key = taskType === CODE ? CODE : task;
    shares.set(key, (shares.get(key) ?? 0) + confidence);
  }
  const weighted = read.purposes.map(({ purpose, confidence }) => ({
    purpose,
    confidence: confidence * (FLOOR + likelihood(known.get(purpose), shares)),
  }));
  const noPurpose = read.none * (FLOOR + none);
  const sum = weighted.reduce((total, { confidence }) => total + confidence, noPurpose);
  return likeliestPurposes({
    purposes: weighted.map(({ purpose, confidence }) => ({ purpose, confidence: confidence / sum })),
    none: noPurpose / sum,
  });
}

/** How likely the tasks are that can serve a purpose, 0 to 1. */
function likelihood(purpose: Purpose | undefined, shares: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [place, task] of (purpose?.tasks ?? []).entries()) {
    const weight = BY_PLACE[place] ?? 0;
    if (task !== "text-generation") {
      sum += weight * (shares.get(task) ?? 0);
      continue;
    }
    const [own, other] = purpose?.group === CODE ? [CODE, task] : [task, CODE];
    sum += weight * ((shares.get(own) ?? 0) + OTHER_TEXT * (shares.get(other) ?? 0));
  }
  return Math.min(1, sum);
}
