import { readFileSync } from "node:fs";
import { type DescMethod, fromJson, type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Binding,
  compileBindings,
  formatPathTemplate,
  readHttpRule,
} from "../../../packages/connect-transcoding/src/tools.ts";
import { fixturePath } from "../../support/fixtures.ts";
import { buildRegistry } from "./support/build-registry.ts";
import { type Form, forms, type ServedTranscoder, serveHandler, servePlugin } from "./support/serve-transcoder.ts";

interface Suite {
  group: { name: string; rpcs: string[]; requests: (JsonObject & { name: string; intendedBindingUri?: string })[] }[];
}

const suite = JSON.parse(readFileSync(fixturePath("transcoding/compliance-suite.json"), "utf8")) as Suite;
const service = buildRegistry(fixturePath("transcoding/compliance.proto")).getService("showcase.v1.Compliance")!;

/** Every request of a group goes to every method of it. */
const calls = suite.group.flatMap(({ rpcs, requests }) =>
  rpcs.flatMap((rpc) => requests.map((request) => [rpc.replace("Compliance.", ""), request.name, request] as const)),
);

it("The suite of gapic-showcase has 53 calls", () => {
  expect(calls).toHaveLength(53);
});

describe.each(forms)("As a %s", (form: Form) => {
  const received: JsonValue[] = [];
  let server: ServedTranscoder;

  beforeAll(async () => {
    const implementation = Object.fromEntries(
      service.methods.map((method) => [
        method.localName,
        (request: never) => {
          received.push(toJson(method.input, request));
          return request;
        },
      ]),
    );
    const options = {
      routes: (router: { service: (...parameters: never[]) => unknown }) =>
        void router.service(service as never, implementation as never),
    };
    server = await (form === "plugin" ? servePlugin(options as never) : serveHandler(options as never));
  });

  afterAll(() => server.close());

  it.each(calls)("%s: %s", async (rpc, _name, request) => {
    const method = service.methods.find(({ name }) => name === rpc)!;
    const sent = toJson(method.input, fromJson(method.input, request)) as JsonObject;
    const { httpMethod, target, body } = httpRequest(method, sent, request.intendedBindingUri);
    const headers = body === undefined ? [] : [["Content-Type", "application/json"] as const];
    received.length = 0;
    const response = await server.request(httpMethod, target, headers, body);
    expect(response.status, response.body.toString()).toBe(200);
    expect(received).toEqual([sent]);
    expect(JSON.parse(response.body.toString())).toEqual(sent);
  });
});

/** The HTTP request of a client that follows the rule of the method. */
function httpRequest(
  method: DescMethod,
  request: JsonObject,
  intendedUri: string | undefined,
): { httpMethod: string; target: string; body: string | undefined } {
  const bindings = compileBindings(method, readHttpRule(method)!, { allowDeleteBody: false, finiteNumbersOnly: false });
  const isIntended = ({ template }: Binding) =>
    intendedUri === undefined || formatPathTemplate(template) === intendedUri;
  const binding = bindings.find(isIntended)!;
  const rest = structuredClone(request);
  const segments = binding.template.segments.map((segment) => (segment.kind === "literal" ? segment.text : ""));
  for (const { fields, start, end } of binding.variables) {
    const value = takeField(
      rest,
      fields.map(({ jsonName }) => jsonName),
      fields.at(-1)!.enum?.values[0]?.name,
    );
    // A variable of several segments keeps its slashes, one of a single segment must not have any.
    const parts = end - start === 1 ? [value] : value.split("/");
    segments.splice(start, end - start, ...parts.map(encodeURIComponent));
  }
  let body: string | undefined;
  if (binding.body === "message") {
    body = JSON.stringify(rest);
  } else if (binding.body !== "none") {
    body = JSON.stringify(rest[binding.body.jsonName]);
    delete rest[binding.body.jsonName];
  }
  const query =
    body !== undefined && binding.body === "message" ? "" : new URLSearchParams(parameters(rest)).toString();
  const path = `/${segments.join("/")}:${binding.template.verb}`;
  return { httpMethod: binding.httpMethod, target: query === "" ? path : `${path}?${query}`, body };
}

/** Removes a field from a message and returns its text; an unset field has its default. */
function takeField(message: JsonObject, path: readonly string[], enumDefault: string | undefined): string {
  const [name = "", ...more] = path;
  if (more.length > 0) {
    return takeField(message[name] as JsonObject, more, enumDefault);
  }
  const value = message[name];
  delete message[name];
  return value === undefined ? (enumDefault ?? defaults[name] ?? "") : String(value);
}

const defaults: Readonly<Record<string, string>> = { fBool: "false", fInt32: "0", fDouble: "0" };

/** The fields of a message as parameters, those of messages inside by their paths. */
function parameters(message: JsonObject, prefix = ""): [string, string][] {
  return Object.entries(message).flatMap(([name, value]) =>
    typeof value === "object" && value !== null
      ? parameters(value as JsonObject, `${prefix}${name}.`)
      : [[prefix + name, String(value)] as [string, string]],
  );
}
