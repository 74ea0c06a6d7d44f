/** A rule of the cases: HttpRule in ProtoJSON. */
export interface RuleInput {
  readonly rpc: string;
  readonly rule: Record<string, unknown>;
}

/** A transcoding case. Keys that are not here fail the case. */
export interface Case {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly level: "must" | "should" | "may";
  readonly options?: Record<string, unknown>;
  readonly input: Record<string, unknown>;
  readonly expect: Record<string, unknown>;
}

const CASE_KEYS = [
  "id",
  "group",
  "title",
  "level",
  "source",
  "input",
  "options",
  "expect",
  "agree",
  "differ",
  "why",
  "note",
];
const OPTION_KEYS = ["unknownQueryParameters", "unknownBodyFields", "fillFieldMaskOnPatch"];
const REQUEST_KEYS = ["method", "target", "headers", "body", "bodyBase64"];
const INPUT_KEYS: Readonly<Record<string, readonly string[]>> = {
  template: ["template"],
  rule: ["rules"],
  match: ["templates", "path"],
  query: REQUEST_KEYS,
  body: REQUEST_KEYS,
  error: REQUEST_KEYS,
  stream: REQUEST_KEYS,
  host: [...REQUEST_KEYS, "handler", "clientCloses"],
};
const RESPONSE_KEYS = [
  "status",
  "code",
  "rpc",
  "messages",
  "json",
  "message",
  "text",
  "lines",
  "header",
  "allow",
  "allowMay",
  "oneOf",
  "mentions",
  "notInBody",
  "streamError",
  "abort",
  "endsWith",
  "sse",
  "details",
  "errorMessage",
];
const EXPECT_KEYS: Readonly<Record<string, readonly string[]>> = {
  template: ["valid", "segments", "variables", "verb"],
  rule: ["startup", "mentions"],
  match: ["match", "variables", "status"],
  query: RESPONSE_KEYS,
  body: RESPONSE_KEYS,
  error: RESPONSE_KEYS,
  stream: RESPONSE_KEYS,
  host: [
    ...RESPONSE_KEYS,
    "handlerSees",
    "handlerSignalAborted",
    "firstLineWithinMs",
    "buffersAtMostBytes",
    "servedBy",
  ],
};

/** Throws if a case has keys that the test does not check. */
export function checkKeys(each: Case): void {
  refuse("case", each, CASE_KEYS);
  refuse("options", each.options ?? {}, OPTION_KEYS);
  refuse("input", each.input, INPUT_KEYS[each.group] ?? []);
  refuse("expect", each.expect, EXPECT_KEYS[each.group] ?? []);
}

function refuse(where: string, object: object, known: readonly string[]): void {
  const unknown = Object.keys(object).filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    throw new Error(`unknown keys in ${where}: ${unknown.join(", ")}`);
  }
}
