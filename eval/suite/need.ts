/** A need of the suite and the properties that a good answer to it has. Absent properties are not checked. */
export interface EvalNeed {
  /** As a person would write it. */
  need: string;
  /** Explicit fields; every result must keep them. */
  fields?: {
    taskType?: string;
    maxSizeGb?: number;
    hardware?: string;
    license?: string;
    languages?: readonly string[];
    minContextLength?: number;
  };
  /** Hub labels or task types of which the first pick has one. */
  tasks?: readonly string[];
  /** Further labels or task types that the second and third pick may have instead. */
  also?: readonly string[];
  /** How many of the first picks must keep `tasks` and `wishes`; 3 unless the inventory has fewer that suit. */
  depth?: 1 | 2 | 3;
  /** What the words wish for. */
  wishes?: {
    /** A word or id of the `license` field. */
    license?: string;
    /** Languages that must all be handled. */
    languages?: readonly string[];
    /** Upper bound on the smallest download in gigabytes. */
    maxGb?: number;
    /** The hardware class that the recommended variant runs on. */
    hardware?: string;
    minContext?: number;
  };
  /** Names, with * for any text, of which one at least is among the first five. */
  models?: readonly string[];
  /** Names, with * for any text, of which none is among the first five. */
  never?: readonly string[];
  /** Names that age or a successor keeps from the first place. */
  outdated?: readonly string[];
  /** Most parameters, in 10^9, of each of the first three: nobody needs more for this. */
  maxBillions?: number;
  /** Fewest parameters, in 10^9, of the first pick: the need tells that it wants a large one. */
  minBillions?: number;
  /** Labels or task types that none of the first three has: they were asked to be left out. */
  without?: readonly string[];
  /** Needs of two parts: for each part, one of the first five has one of its labels or task types. */
  parts?: ReadonlyArray<readonly string[]>;
  /** Nothing of the inventory serves it, so every score must be below 0.5. */
  unserved?: true;
}
