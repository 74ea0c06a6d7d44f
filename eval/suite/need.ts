/** A need of the suite and the properties that a good answer to it has. Absent properties are not checked. */
export interface EvalNeed {
  /** As a person would write it. */
  need: string;
  /** Explicit fields; every result must meet them. */
  fields?: {
    taskType?: string;
    maxSizeGb?: number;
    hardware?: string;
    license?: string;
    languages?: readonly string[];
    minContextLength?: number;
  };
  /** Hub labels or task types. The first result has one of them. */
  tasks?: readonly string[];
  /** Further labels or task types that the second and third result may have instead. */
  also?: readonly string[];
  /** How many of the first results must meet `tasks` and `wishes`; 3 unless fewer models suit. */
  depth?: 1 | 2 | 3;
  /** The wishes of the words. */
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
  /** Names, with * for any text. At least one of them is among the first five. */
  models?: readonly string[];
  /** Names, with * for any text. The first result is one of them. */
  first?: readonly string[];
  /** Names, with * for any text. None of them is among the first five. */
  never?: readonly string[];
  /** Names of models that are too old for the first place, or have a successor. */
  outdated?: readonly string[];
  /** The most parameters of the first three, in 10^9: the task needs no more. */
  maxBillions?: number;
  /** The least parameters of the first result, in 10^9: the need asks for a large model. */
  minBillions?: number;
  /** Labels or task types that the need rejects. None of the first three has them. */
  without?: readonly string[];
  /** Needs of two parts: for each part, one of the first five has one of its labels or task types. */
  parts?: ReadonlyArray<readonly string[]>;
  /** No model of the inventory serves the need, so every score must be below 0.5. */
  unserved?: true;
}
