/** A need as typed in the form: texts that may be invalid. It has the fields of a RecommendRequest. */
export interface NeedDraft {
  readonly description: string;
  readonly task_type: string;
  readonly max_size_gb: string;
  readonly hardware: string;
  readonly license: string;
  /** Codes separated by commas or spaces. */
  readonly languages: string;
  readonly min_context_length: string;
  readonly priority: string;
  readonly top_k: string;
  readonly ignore: readonly string[];
}

export const emptyNeed: NeedDraft = {
  description: "",
  task_type: "",
  max_size_gb: "",
  hardware: "",
  license: "",
  languages: "",
  min_context_length: "",
  priority: "",
  top_k: "",
  ignore: [],
};

/** The fields that filter the answer. */
export const limitFields = [
  "task_type",
  "hardware",
  "license",
  "max_size_gb",
  "languages",
  "min_context_length",
] as const satisfies readonly (keyof NeedDraft)[];

/** One fault of a request. */
export interface Violation {
  /** The field by its name in the contract. */
  readonly field: string;
  /** What is wrong with it, and what would be right. */
  readonly description: string;
}
