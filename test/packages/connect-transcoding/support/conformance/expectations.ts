import { isDeepStrictEqual } from "node:util";
import { type DescMessage, type DescService, fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import type { RawResponse } from "../raw-request.ts";
import type { Recorder } from "./recorder.ts";

// biome-ignore lint/suspicious/noExplicitAny: JSON of the cases, whose keys decide what it is
type AnyJson = any;

type Expectation = Record<string, AnyJson>;

/** The differences between the expected and the actual response; the case passes without any. */
export function differences(
  expect: Expectation,
  response: RawResponse,
  recorder: Recorder,
  service: DescService,
): string[] {
  if (expect.oneOf !== undefined) {
    const { oneOf, ...rest } = expect;
    const each: string[][] = oneOf.map((one: Expectation) =>
      differences({ ...rest, ...one }, response, recorder, service),
    );
    return each.some((found) => found.length === 0) ? [] : each.map((found) => `(${found.join("; ")})`);
  }
  const found: string[] = [];
  for (const [key, wanted] of Object.entries(expect)) {
    const problem = CHECKS[key]?.(wanted, {
      response,
      recorder,
      service,
      expect,
      body: response.body.toString("utf8"),
    });
    if (problem !== undefined && problem !== true) {
      found.push(`${key}: ${problem === false ? `wanted ${JSON.stringify(wanted)}` : problem}`);
    }
  }
  if (expect.abort === undefined && !response.complete) {
    found.push("the response is incomplete");
  }
  return found;
}

interface CheckContext {
  readonly response: RawResponse;
  readonly recorder: Recorder;
  readonly service: DescService;
  readonly expect: Expectation;
  readonly body: string;
}

/** Returns true or undefined if there is no difference, else a description. */
type Check = (wanted: AnyJson, context: CheckContext) => boolean | string | undefined;

const CHECKS: Readonly<Record<string, Check>> = {
  status: (wanted, { response, body }) =>
    [wanted].flat().includes(response.status) || `wanted ${wanted}, got ${response.status} ${body.slice(0, 300)}`,
  code: (wanted, { body }) => same(wanted, errorOf(body)?.code),
  errorMessage: (wanted, { body }) => same(wanted, errorOf(body)?.message),
  details: (wanted, { body }) => same(wanted, errorOf(body)?.details),
  rpc: (wanted, { recorder }) => same(wanted, recorder.rpc),
  messages: (wanted, context) => {
    const desc = methodOf(context)?.input;
    return desc === undefined
      ? "no handler ran"
      : same(
          wanted.map((each: JsonValue) => canonical(desc, each)),
          context.recorder.messages,
        );
  },
  json: (wanted, { body }) => same(wanted, parse(body)),
  message: (wanted, context) => sameMessage(methodOf(context)?.output, wanted, parse(context.body)),
  text: (wanted, { body }) => same(wanted, body),
  endsWith: (wanted, { body }) => body.endsWith(wanted),
  mentions: (wanted, { body }) => [wanted].flat().every((text) => body.includes(text)) || `not in ${body}`,
  notInBody: (wanted, { body }) => [wanted].flat().every((text) => !body.includes(text)) || `in ${body}`,
  header: (wanted, { response }) => {
    for (const [name, pattern] of Object.entries<string>(wanted)) {
      const value = response.headers.get(name);
      if (value === undefined || !new RegExp(pattern).test(value)) {
        return `${name}: ${value}`;
      }
    }
    return true;
  },
  allow: (wanted, { response, expect }) => {
    const allow = (response.headers.get("allow") ?? "").split(/,\s*/).filter((name) => name !== "");
    const may: string[] = [...wanted, "HEAD", "OPTIONS", ...(expect.allowMay ?? [])];
    const permitted = expect.allowMay === undefined ? wanted : may;
    const right =
      wanted.every((name: string) => allow.includes(name)) && allow.every((name) => permitted.includes(name));
    return right || `got ${allow.join(", ")}`;
  },
  lines: (wanted, context) => {
    const lines = context.body.split("\n").filter((line) => line !== "");
    if (lines.length !== wanted.length) {
      return `got ${lines.length} lines: ${context.body}`;
    }
    for (const [i, each] of wanted.entries()) {
      const problem = sameLine(methodOf(context)?.output, each, parse(lines[i]!));
      if (problem !== true) {
        return `line ${i + 1}: ${problem}`;
      }
    }
    return true;
  },
  sse: (wanted, context) => {
    const data = context.body
      .split("\n\n")
      .filter((event) => event.includes("data:"))
      .map((event) => parse(/^data: ?(.*)$/m.exec(event)?.[1] ?? ""));
    if (data.length !== wanted.length) {
      return `got ${data.length} events: ${context.body}`;
    }
    const problems = wanted.map((each: JsonValue, i: number) => sameMessage(methodOf(context)?.output, each, data[i]));
    return problems.find((problem: boolean | string) => problem !== true) ?? true;
  },
  streamError: (wanted, { body }) => {
    const last = parse(body.trimEnd().split("\n").at(-1) ?? "") as AnyJson;
    const error = last?.error ?? last;
    return same(wanted, { code: error?.code, message: error?.message });
  },
  abort: (wanted, { response }) => same(wanted, !response.complete),
  servedBy: (wanted, { response }) => same(wanted, response.headers.get("x-served-by") ?? "transcoder"),
  handlerSees: (wanted, { recorder }) => {
    const seen = Object.fromEntries(Object.keys(wanted).map((name) => [name, recorder.header?.get(name)]));
    return same(wanted, seen);
  },
};

function methodOf({ recorder, service }: CheckContext) {
  return service.methods.find((method) => method.name === recorder.rpc);
}

function errorOf(body: string): AnyJson {
  const json = parse(body) as AnyJson;
  return json?.error ?? json;
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function canonical(desc: DescMessage, json: JsonValue): JsonValue {
  return toJson(desc, fromJson(desc, json));
}

function same(wanted: unknown, got: unknown): boolean | string {
  return isDeepStrictEqual(wanted, got) || `wanted ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`;
}

function sameMessage(desc: DescMessage | undefined, wanted: JsonValue, got: JsonValue | undefined): boolean | string {
  if (desc === undefined || got === undefined) {
    return `no message: ${JSON.stringify(got)}`;
  }
  return same(canonical(desc, wanted), canonical(desc, got));
}

/** A line is a result, in the form of the response or of a field of it, or an error. */
function sameLine(desc: DescMessage | undefined, wanted: AnyJson, got: AnyJson): boolean | string {
  if (wanted?.error !== undefined) {
    return same(wanted.error, { code: got?.error?.code, message: got?.error?.message });
  }
  const isMessage = typeof wanted?.result === "object" && wanted.result !== null && !Array.isArray(wanted.result);
  return isMessage ? sameMessage(desc, wanted.result, got?.result) : same(wanted, got);
}
