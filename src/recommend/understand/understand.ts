import { type Purpose, purposes as purposesOfCatalogue } from "../../catalogue/index.ts";
import type { TaskType } from "../../inventory/index.ts";
import { type Manner, readManner } from "./manner.ts";
import { loadPurposeClassifier, type PurposeGuess, type PurposeReading } from "./purpose-classifier.ts";
import { type Classification, loadTaskClassifier } from "./task-classifier.ts";
import { readWishes } from "./wishes/read-wishes.ts";
import type { Wish } from "./wishes/wish.ts";

/** A task that a description means. */
export interface UnderstoodTask {
  /** The hub's task label. */
  task: string;
  taskType: TaskType;
  /** 0 to 1. */
  confidence: number;
  /** If the description has two needs: 1 for the task of the first, 2 for the task of the second. */
  part?: 1 | 2;
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
  wishes: Wish[];
}

/** Tasks less certain than this are noise. */
const LEAST_CONFIDENCE = 0.02;
/** The most tasks of a description. */
const MOST_TASKS = 5;

/** Finds the tasks and wishes of a description. Pure and deterministic; never throws. */
export function understand(description: string): Understanding {
  const classified = loadTaskClassifier().classify(description);
  const { tasks, none } = classified;
  const manner = readManner(description);
  const read = withoutTraining(loadPurposeClassifier().read(description), manner.training);
  const { purposes, none: purposeNone } = agreedPurposes(read, classified);
  return {
    tasks: tasks.filter((task) => task.confidence >= LEAST_CONFIDENCE).slice(0, MOST_TASKS),
    none,
    purposes,
    purposeNone,
    manner,
    wishes: readWishes(description),
  };
}

/** How much of the confidence in training goes to models that are ready, where no word speaks of training. */
const READY_SHARE = { none: 0.95, untold: 0.7, possible: 0.2, wanted: 0 } as const;

/** Whoever does not speak of training wants a model that is ready. */
export function withoutTraining({ purposes, none }: PurposeReading, training: Manner["training"]): PurposeReading {
  const known = purposesOfCatalogue();
  const moved = new Map<string, number>();
  const kept = purposes.map(({ purpose, confidence }) => {
    const ready = known.get(purpose)?.ready;
    const share = ready === undefined ? 0 : confidence * READY_SHARE[training];
    if (ready !== undefined) {
      moved.set(ready, (moved.get(ready) ?? 0) + share);
    }
    return { purpose, confidence: confidence - share };
  });
  return {
    purposes: kept.map(({ purpose, confidence }) => ({ purpose, confidence: confidence + (moved.get(purpose) ?? 0) })),
    none,
  };
}

/** The most purposes of a description, and the least confidence of each. */
const MOST_PURPOSES = 8;
const LEAST_PURPOSE = 0.01;
/** What a task adds to a purpose that lists it first, second and so on. */
const BY_PLACE = [1, 0.7, 0.5, 0.4, 0.3] as const;
/** The group of purposes that write programs, for which the tasks have a class of their own. */
const CODE = "code";
/** The factor with which writing prose counts for a purpose of code, and writing code for any other purpose. */
const OTHER_TEXT = 0.3;
/** The least factor of a purpose, if no task of its models is likely at all. */
const FLOOR = 0.015;

/**
 * Combines two readings of a description: what it wants a model for, and which tasks it means. Each purpose counts as
 * far as the tasks that can serve it are likely, so one classifier corrects the other.
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
  const found: PurposeGuess[] = weighted
    .map(({ purpose, confidence }) => ({ purpose, confidence: confidence / sum }))
    .filter(({ confidence }) => confidence >= LEAST_PURPOSE)
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, MOST_PURPOSES);
  return { purposes: found, none: noPurpose / sum };
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
