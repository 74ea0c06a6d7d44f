import { z } from "zod";
import { evaluationsSchema } from "../../evaluations/index.ts";
import { capabilityNames } from "./capabilities.ts";

/**
 * The import format: one model as a source describes it, before it is normalised. Only `name` is required; unknown
 * facts are left out. Keys that the format lacks are ignored, so that newer files can be read.
 */
export type SourceRecord = z.infer<typeof recordSchema>;

const MAX_NAME = 200;
// Texts come from outside, and a longer one does not improve a search.
const MAX_TEXT = 20_000;
/** More tags, variants or languages than this are not read. */
export const MAX_ITEMS = 1_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are refused
const control = /[\u0000-\u001f\u007f]/;
// JSON can contain half a surrogate pair; the table and the API cannot.
const string = z.string().overwrite((value) => value.toWellFormed());
const word = string.trim().min(1).max(300);
const words = z.array(word).max(MAX_ITEMS);
const text = z
  .string()
  .transform((value) => value.trim().slice(0, MAX_TEXT).toWellFormed())
  .optional();
const positive = z.number().positive().max(1e15).optional();
const count = z.number().int().nonnegative().max(1e15).optional();
const whole = z.number().int().positive().max(1e9).optional();
/** The API sends likes as a 32-bit integer. */
const MAX_LIKES = 2 ** 31 - 1;

/** Problems of a record that are reported, and the length of the report: keys come from outside. */
const MOST_REPORTED = 20;
const MOST_PROBLEM_CHARS = 1_000;

/** Whether a name is owner/model. `.` and `..` are parts of paths, not of names. */
export function isModelName(name: string): boolean {
  const parts = name.split("/");
  return parts.length === 2 && parts.every((part) => !["", ".", ".."].includes(part.trim()));
}

/** Whether an address has no user: `https://huggingface.co@example.com/` leads to example.com and deceives readers. */
function hasNoUser(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.username === "" && url.password === "";
}

const recordSchema = z.object({
  name: string
    .trim()
    .refine((name) => [...name].length <= MAX_NAME, { message: `is longer than ${MAX_NAME} characters` })
    .refine(isModelName, { message: "must be owner/model: two parts around one slash" })
    .refine((name) => !control.test(name), { message: "has control characters" }),
  source: word
    .refine((source) => source !== "evaluations", { message: "is reserved for the figures of leaderboards" })
    .optional(),
  source_url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .refine(hasNoUser, { message: "must have no user and no password in it" })
    .overwrite((value) => value.toWellFormed())
    .optional(),
  task_types: words.optional(),
  tags: words.optional(),
  description: text,
  license: word.optional(),
  parameters: positive,
  active_parameters: positive,
  context_length: whole,
  size_gb: positive,
  downloads: count,
  likes: z.number().int().nonnegative().max(MAX_LIKES).optional(),
  updated_at: z.iso
    .datetime({ offset: true, abort: true, error: "must be a time such as 2026-01-31T12:00:00Z" })
    .refine((time) => Date.parse(time) >= 0, { message: "is before 1970" })
    .optional(),
  library: word.optional(),
  languages: words.optional(),
  base_model: word.optional(),
  gated: z.boolean().optional(),
  variants: z
    .array(
      z.object({
        quantization: word,
        format: word.optional(),
        size_gb: positive,
        repository: word.optional(),
        unpublished: z.boolean().optional(),
      }),
    )
    .max(MAX_ITEMS)
    .optional(),
  card: text,
  attention: z
    .object({ layers: whole, kv_layers: count, kv_heads: whole, head_dim: whole, window: whole, latent_dim: whole })
    .optional(),
  facts_from: z.record(word, word).optional(),
  evaluations: evaluationsSchema.optional(),
  capabilities: z
    .array(z.enum(capabilityNames, { error: `must be one of ${capabilityNames.join(", ")}` }))
    .max(MAX_ITEMS)
    .optional(),
});

/**
 * How the values of several sources for a field become one:
 * - `best`: the best source's value, which may be absent;
 * - `first`: the value of the best source that has one (see `ranked` in merge.ts);
 * - `tagged`: as `first`, but a tag can stand in for the field;
 * - `license`: as `tagged`, but licences that the project knows come first;
 * - `union`: the values of all sources;
 * - `each`: for each capability, the first source that states it (see capabilities.ts);
 * - `strongest`: for each board, the strongest figure (see `strongestEvaluations`);
 * - `derived`: not merged. `source` is kept beside the record, and merging writes `facts_from`.
 */
export type MergeRule = "best" | "first" | "tagged" | "license" | "union" | "each" | "strongest" | "derived";

/**
 * All fields of a record, in the order in which the table stores them. Digests depend on this order. Leaving a field
 * out does not compile, so no field can be lost when records are stored and merged.
 */
export const recordFields = {
  source: "derived",
  name: "best",
  source_url: "best",
  task_types: "first",
  tags: "union",
  description: "first",
  license: "license",
  parameters: "first",
  active_parameters: "first",
  context_length: "first",
  size_gb: "first",
  downloads: "first",
  likes: "first",
  updated_at: "first",
  library: "first",
  languages: "tagged",
  base_model: "tagged",
  gated: "first",
  variants: "union",
  card: "first",
  attention: "first",
  facts_from: "derived",
  evaluations: "strongest",
  capabilities: "each",
} as const satisfies Record<keyof SourceRecord, MergeRule>;

/** The fields with a merge rule. */
export type FieldsOf<Rule extends MergeRule> = {
  [Field in keyof SourceRecord]-?: (typeof recordFields)[Field] extends Rule ? Field : never;
}[keyof SourceRecord];

/** The fields with a merge rule, in the order of `recordFields`. */
export function fieldsOf<Rule extends MergeRule>(rule: Rule): FieldsOf<Rule>[] {
  const all = Object.keys(recordFields) as (keyof SourceRecord)[];
  return all.filter((field) => recordFields[field] === rule) as FieldsOf<Rule>[];
}

/**
 * Reads a value as a record of the import format.
 *
 * @returns the record, or its problems: one phrase for each field, joined by "; ".
 */
export function parseRecord(value: unknown): { record: SourceRecord } | { problem: string } {
  const parsed = recordSchema.safeParse(value);
  if (parsed.success) {
    return { record: parsed.data };
  }
  const problem = parsed.error.issues
    .slice(0, MOST_REPORTED)
    .map((issue) => (issue.path.length > 0 ? `${issue.path.join(".")}: ${issue.message}` : issue.message))
    .join("; ");
  return { problem: problem.slice(0, MOST_PROBLEM_CHARS).toWellFormed() };
}
