import type { Model } from "../inventory/facts/model.ts";
import type { LexicalMatch } from "./lexical-match.ts";
import type { Signals } from "./signals.ts";
import type { Sizing } from "./sizing.ts";
import type { WantedTask } from "./task-relations.ts";
import type { WishVerdict } from "./wish-verdict.ts";

/** A model weighed for a need. What reasons and trade-offs say is read off it. */
export interface Candidate {
  model: Model;
  /** 0 to 1, absolute: need and model alone decide it. */
  score: number;
  /** How strong the match is with its merits, 0 to 1; orders the models of one need. */
  strength: number;
  /** Whether the model is made for what is needed, whatever its other merits. */
  suitable: boolean;
  /** Whether the need has the model's name. */
  isNamed: boolean;
  signals: Signals;
  /** The wanted task that it serves best; undefined when it serves none. */
  task?: WantedTask;
  lexical: LexicalMatch;
  /** How each wish of the need fares with the model. */
  verdicts: WishVerdict[];
  /** How many wishes it is known to break. */
  broken: number;
  /** Absent when nothing is known of the model's size. */
  sizing?: Sizing;
}
