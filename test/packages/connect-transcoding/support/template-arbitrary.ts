import fc from "fast-check";
import type {
  PathTemplate,
  TemplateSegment,
  TemplateVariable,
} from "../../../../packages/connect-transcoding/src/http-rule/path-template.ts";

const literal = fc
  .string({ minLength: 1, maxLength: 6, unit: fc.constantFrom(..."abcXYZ019-._~!/:*%é世 ") })
  .map((text): TemplateSegment => ({ kind: "literal", text }));
const wildcard = fc.constant<TemplateSegment>({ kind: "*" });
const segments = fc.array(fc.oneof(literal, wildcard), { minLength: 1, maxLength: 3 });

interface Part {
  readonly segments: TemplateSegment[];
  readonly isVariable: boolean;
}

const part: fc.Arbitrary<Part> = fc.oneof(
  segments.map((each) => ({ segments: each, isVariable: true })),
  fc.oneof(literal, wildcard).map((each) => ({ segments: [each], isVariable: false })),
);

const rest: fc.Arbitrary<Part> = fc.record({
  segments: fc.constant<TemplateSegment[]>([{ kind: "**" }]),
  isVariable: fc.boolean(),
});

/** Any path template, as parsePathTemplate() returns it. */
export const templateArbitrary: fc.Arbitrary<PathTemplate> = fc
  .record({
    parts: fc.array(part, { minLength: 1, maxLength: 4 }),
    rest: fc.option(rest, { nil: undefined }),
    verb: fc.string({ maxLength: 4, unit: fc.constantFrom(..."ab:é/") }),
  })
  .map(({ parts, rest: last, verb }) => {
    const all: TemplateSegment[] = [];
    const variables: TemplateVariable[] = [];
    for (const each of last === undefined ? parts : [...parts, last]) {
      const start = all.length;
      all.push(...each.segments);
      if (each.isVariable) {
        const openEnded = all.at(-1)?.kind === "**";
        const multiSegment = openEnded || each.segments.length > 1;
        variables.push({ fieldPath: `f${variables.length}.x`, start, end: all.length, multiSegment, openEnded });
      }
    }
    return { segments: all, variables, verb };
  });
