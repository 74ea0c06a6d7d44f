import type { TaskType } from "../../inventory/index.ts";
import { loadTaskClassifier } from "./task-classifier.ts";
import { readWishes } from "./wishes/read-wishes.ts";
import type { Wish } from "./wishes/wish.ts";

/** A task that a description means. */
export interface UnderstoodTask {
  /** The hub's task label. */
  task: string;
  taskType: TaskType;
  /** 0 to 1. */
  confidence: number;
  /** Where the description asks for two things: 1 for the first one's task, 2 for the second's. */
  part?: 1 | 2;
}

/** What is read from a description alone. */
export interface Understanding {
  /** Most certain first. */
  tasks: UnderstoodTask[];
  /** How likely no model of any task is meant, 0 to 1. */
  none: number;
  /** In the order of the words that tell them. */
  wishes: Wish[];
}

/** Tasks less certain than this are noise. */
const LEAST_CONFIDENCE = 0.02;
/** Nobody means more tasks than this at once. */
const MOST_TASKS = 5;

/** Reads what is needed from a description. Pure and deterministic; never throws. */
export function understand(description: string): Understanding {
  const { tasks, none } = loadTaskClassifier().classify(description);
  return {
    tasks: tasks.filter((task) => task.confidence >= LEAST_CONFIDENCE).slice(0, MOST_TASKS),
    none,
    wishes: readWishes(description),
  };
}
