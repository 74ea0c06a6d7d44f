/** One segment of a path template. Literals are stored percent-decoded. */
export type TemplateSegment =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "*" }
  | { readonly kind: "**" };

/** A variable of a path template and the segments that it covers: `start` inclusive, `end` exclusive. */
export interface TemplateVariable {
  /** Dotted path of proto field names, for example `book.name`. */
  readonly fieldPath: string;
  readonly start: number;
  readonly end: number;
  /**
   * Whether the pattern is more than a single `*` or literal. The values of such variables keep their encoded
   * slashes, so that the segments stay distinguishable.
   */
  readonly multiSegment: boolean;
  /** Whether the pattern ends in `**`: the value then takes every segment that is left. */
  readonly openEnded: boolean;
}

/** A parsed path template of google.api.http. */
export interface PathTemplate {
  readonly segments: readonly TemplateSegment[];
  /** In the order of the template. */
  readonly variables: readonly TemplateVariable[];
  /** Percent-decoded, without the colon; empty if the template has no verb. */
  readonly verb: string;
}
