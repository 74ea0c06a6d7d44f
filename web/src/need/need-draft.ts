import { emptyMachine, type MachineDraft, machineLabel } from "../machine/machine.ts";

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
  /** The contract's words, separated by commas or spaces. */
  readonly capabilities: string;
  /** A number, also as 7B or 500M. */
  readonly min_parameters: string;
  readonly max_parameters: string;
  readonly min_tokens_per_second: string;
  /** "true", or empty. */
  readonly exclude_gated: string;
  readonly device: MachineDraft;
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
  capabilities: "",
  min_parameters: "",
  max_parameters: "",
  min_tokens_per_second: "",
  exclude_gated: "",
  device: emptyMachine,
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
  "capabilities",
  "min_parameters",
  "max_parameters",
  "device",
  "min_tokens_per_second",
  "exclude_gated",
] as const satisfies readonly (keyof NeedDraft)[];

type LimitField = (typeof limitFields)[number];

/** The limits that are set, each as a text. */
export function limitsOf(need: NeedDraft): { field: LimitField; text: string }[] {
  return limitFields
    .map((field) => ({ field, text: field === "device" ? machineLabel(need.device) : need[field].trim() }))
    .filter(({ text }) => text !== "");
}

/** The entries of a text that are separated by commas or blanks. */
export function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}
