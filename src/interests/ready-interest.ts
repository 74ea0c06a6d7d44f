import type { Profile } from "../recommend/profile.ts";
import type { Interest } from "./interest.ts";

/** An interest that is understood and encoded, for judging many models. */
export interface ReadyInterest {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly need: Interest["need"];
  readonly minScore: number;
  /** It waits for writes of the inventory behind this number. */
  readonly sinceChange: number;
  readonly revision: number;
  readonly profile: Profile;
}
