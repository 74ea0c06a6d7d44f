import { setTimeout as sleep } from "node:timers/promises";
import { type DescService, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { HttpRuleSchema } from "../../../../../gen/google/api/http_pb.ts";
import { PathMatcher } from "../../../../../packages/connect-transcoding/src/http-rule/path-matcher.ts";
import {
  captureVariable,
  type PathTemplate,
} from "../../../../../packages/connect-transcoding/src/http-rule/path-template.ts";
import { parsePathTemplate } from "../../../../../packages/connect-transcoding/src/tools.ts";
import { rawTarget } from "../../../../../packages/connect-transcoding/src/transcoder.ts";
import { requestRaw, sendRaw } from "../raw-request.ts";
import {
  type Form,
  type ServedOptions,
  type ServedTranscoder,
  serveHandler,
  servePlugin,
} from "../serve-transcoder.ts";
import { type Case, checkKeys, type RuleInput } from "./case.ts";
import { differences } from "./expectations.ts";
import { conformanceRoutes } from "./handlers.ts";
import { type HostSetup, hostSetup } from "./host-setup.ts";
import { Recorder } from "./recorder.ts";

/** What a case is run on. */
export interface CaseSetting {
  readonly service: DescService;
  readonly form: Form;
}

/**
 * Why a case says nothing about a form of the transcoder. Undefined if it does. A Request cannot carry some of what
 * goes over a socket, and a plain handler has no application around it.
 */
export function inapplicability({ group, input }: Case, { service, form }: CaseSetting): string | undefined {
  if (form === "plugin") {
    return undefined;
  }
  if (group === "template" || group === "match") {
    return "a part that both forms share";
  }
  const { method, target, body, handler } = input as Record<string, string | undefined>;
  if (handler !== undefined && hostSetup(handler, service, new Recorder()).prepare !== undefined) {
    return "other routes of Fastify";
  }
  if (body !== undefined && (method === "GET" || method === "HEAD")) {
    return "a Request with GET or HEAD has no body";
  }
  if (target !== undefined) {
    const { pathname, search } = new URL(target, "http://localhost");
    return target.endsWith(pathname + search) ? undefined : "the URL of a Request is normalised";
  }
  return undefined;
}

/** Runs one case. Throws an Error with the differences. */
export async function runCase(each: Case, setting: CaseSetting): Promise<void> {
  checkKeys(each);
  switch (each.group) {
    case "template":
      return runTemplate(each);
    case "match":
      return runMatch(each);
    case "rule":
      return runRule(each, setting);
    case "query":
    case "body":
    case "error":
    case "stream":
    case "host":
      return runRequest(each, setting);
    default:
      throw new Error(`unknown group ${each.group}`);
  }
}

function check(found: string[]): void {
  if (found.length > 0) {
    throw new Error(found.join("\n"));
  }
}

function runTemplate({ input, expect }: Case): void {
  let template: PathTemplate;
  try {
    template = parsePathTemplate(input.template as string);
  } catch (error) {
    check(expect.valid === false ? [] : [`refused: ${error}`]);
    return;
  }
  if (expect.valid === false) {
    throw new Error("accepted");
  }
  const text = template.segments.map((segment) => (segment.kind === "literal" ? segment.text : segment.kind));
  const got = {
    segments: text,
    variables: template.variables.map(({ fieldPath, start, end }) => ({
      field: fieldPath,
      pattern: text.slice(start, end).join("/"),
    })),
    verb: template.verb,
  };
  const wanted = {
    segments: (expect.segments as string[]).map(decodeURIComponent),
    variables: (expect.variables as { field: string; pattern: string }[]).map(({ field, pattern }) => ({
      field,
      pattern: decodeURIComponent(pattern),
    })),
    verb: decodeURIComponent(expect.verb as string),
  };
  check(JSON.stringify(got) === JSON.stringify(wanted) ? [] : [`got ${JSON.stringify(got)}`]);
}

function runMatch({ input, expect }: Case): void {
  const matcher = new PathMatcher<{ text: string; template: PathTemplate }>();
  for (const text of input.templates as string[]) {
    const template = parsePathTemplate(text);
    matcher.add("GET", template, { text, template });
  }
  const { path } = rawTarget(input.path as string, "");
  const match = matcher.match("GET", path);
  const variables: Record<string, string | undefined> = {};
  if (match?.kind === "route") {
    for (const variable of match.value.template.variables) {
      variables[variable.fieldPath] = captureVariable(variable, match.segments);
    }
  }
  const malformed = Object.values(variables).includes(undefined);
  if (expect.status !== undefined) {
    check(expect.status === 400 && malformed ? [] : [`got ${JSON.stringify(match)}`]);
    return;
  }
  const got = { match: match?.kind === "route" ? match.value.text : null, variables };
  const wanted = { match: expect.match, variables: expect.variables ?? {} };
  check(sorted(got) === sorted(wanted) && !malformed ? [] : [`got ${sorted(got)}`]);
}

function sorted({ match, variables }: { match: unknown; variables: object }): string {
  return JSON.stringify([match, Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

async function runRule({ input, expect }: Case, { service, form }: CaseSetting): Promise<void> {
  const rules = new Map<string, JsonValue>();
  for (const { rpc, rule } of input.rules as RuleInput[]) {
    rules.set(rpc, rule as JsonValue);
  }
  const options: ServedOptions = {
    routes: conformanceRoutes(service, new Recorder()),
    httpRule: (method) => {
      const rule = rules.get(method.name);
      return rule === undefined ? undefined : fromJson(HttpRuleSchema, rule);
    },
  };
  const failure = await serve(form, options).then(
    ({ close }) => close(),
    (error: Error) => error,
  );
  if (expect.startup === "accept") {
    check(failure === undefined ? [] : [`refused: ${failure.message}`]);
    return;
  }
  if (failure === undefined) {
    throw new Error("accepted");
  }
  const names = [...rules.keys(), ...[(expect.mentions as string[] | undefined) ?? []].flat()];
  check(names.some((name) => failure.message.includes(name)) ? [] : [`no RPC named: ${failure.message}`]);
}

/** Starts a form of the transcoder. Rejects if a rule is refused. */
async function serve(form: Form, options: ServedOptions, prepare?: HostSetup["prepare"]): Promise<ServedTranscoder> {
  return form === "plugin" ? servePlugin(options as never, prepare) : serveHandler(options as never);
}

async function runRequest(each: Case, { service, form }: CaseSetting): Promise<void> {
  const { input, expect } = each;
  const recorder = new Recorder();
  const words = input.handler as string | undefined;
  const setup = words === undefined ? {} : hostSetup(words, service, recorder);
  const options = {
    routes: conformanceRoutes(service, recorder, setup.overrides),
    logError: () => undefined,
    ...each.options,
    ...setup.options,
  };
  const { port, close } = await serve(form, options, setup.prepare);
  try {
    recorder.reset();
    const base64 = input.bodyBase64 as string | undefined;
    const body = base64 === undefined ? (input.body as string | undefined) : Buffer.from(base64, "base64");
    const request = {
      port,
      method: input.method as string,
      target: input.target as string,
      headers: input.headers as [string, string][] | undefined,
      body: setup.body ?? body,
    };
    if (input.clientCloses === true) {
      const socket = sendRaw(request);
      socket.on("error", () => undefined);
      await recorder.called;
      socket.destroy();
      await sleep(200);
      check(recorder.signal?.aborted === expect.handlerSignalAborted ? [] : ["the signal did not abort"]);
      return;
    }
    if (expect.buffersAtMostBytes !== undefined) {
      const socket = sendRaw(request);
      await sleep(1500);
      const { produced } = recorder;
      socket.destroy();
      const limit = expect.buffersAtMostBytes as number;
      check(produced > 0 && produced <= limit ? [] : [`the handler produced ${produced} bytes`]);
      return;
    }
    const started = performance.now();
    let firstLineMs: number | undefined;
    const response = await requestRaw(request, (data) => {
      const end = data.indexOf("\r\n\r\n");
      if (firstLineMs === undefined && end >= 0 && data.indexOf("}\n", end) >= 0) {
        firstLineMs = performance.now() - started;
      }
    });
    const found = differences(expect, response, recorder, service);
    const within = expect.firstLineWithinMs as number | undefined;
    if (within !== undefined && !(firstLineMs !== undefined && firstLineMs <= within)) {
      found.push(`first line after ${firstLineMs} ms`);
    }
    check(found);
  } finally {
    await close();
  }
}
