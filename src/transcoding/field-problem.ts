/** One thing that is wrong with a request, before it is worded. */
export interface FieldProblem {
  readonly location: "path" | "query" | "body";
  /** The field as the client sent it: `leaf.name`, `items[2].id`, `labels[key]`; empty for the body as a whole. */
  readonly field: string;
  /**
   * - unknown: no such field or parameter; `nearest` is a real one with a similar name
   * - value: not what the field takes; `expected` says what would be, `allowed` lists the values if they are few
   * - duplicate: set more than once, or in both spellings
   * - conflict: `other` belongs to the same oneof and is set too
   * - bound: the path or the body sets this field, a query parameter cannot
   * - syntax: not readable at all; `expected` says what would be
   */
  readonly kind: "unknown" | "value" | "duplicate" | "conflict" | "bound" | "syntax";
  readonly expected?: string;
  readonly allowed?: readonly string[];
  readonly nearest?: string;
  readonly other?: string;
}
