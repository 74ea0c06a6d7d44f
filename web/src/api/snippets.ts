import { getOption, type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";
import { http } from "../../../gen/google/api/annotations_pb.ts";
import type { HttpRule } from "../../../gen/google/api/http_pb.ts";
import type { Call } from "./calls.ts";

/** What a snippet needs besides the call. */
interface SnippetOptions {
  /** URL of the service, such as http://127.0.0.1:8080. */
  readonly baseUrl: string;
  /** Whether the call is made with a key. */
  readonly hasKey: boolean;
}

/** The environment variable with the key. Snippets never contain the key itself. */
export const KEY_VARIABLE = "MODELSCOUT_API_KEY";

/** A call with curl over REST, from the method's google.api.http rule. */
export function curlSnippet(call: Call, { baseUrl, hasKey }: SnippetOptions): string {
  const rule = getOption(call.method, http);
  const { verb, template } = patternOf(rule);
  const { path, rest } = fillPath(template, requestJson(call, "proto"));
  const hasBody = rule.body !== "";
  const url = `${baseUrl}${path}${hasBody ? "" : queryOf(rest)}`;
  const lines = [`curl -s ${verb === "GET" || hasBody ? "" : `-X ${verb} `}${shellQuote(url)}`];
  if (hasKey) {
    lines.push(`-H "x-api-key: $${KEY_VARIABLE}"`);
  }
  if (hasBody) {
    lines.push(
      "-H 'content-type: application/json'",
      `-d ${shellQuote(JSON.stringify(rest, null, 2).replaceAll("\n", "\n  "))}`,
    );
  }
  return lines.join(" \\\n  ");
}

function patternOf({ pattern }: HttpRule): { verb: string; template: string } {
  if (pattern.case === undefined) {
    throw new Error("the method has no REST path");
  }
  if (pattern.case === "custom") {
    return { verb: pattern.value.kind, template: pattern.value.path };
  }
  return { verb: pattern.case.toUpperCase(), template: pattern.value };
}

function fillPath(template: string, request: JsonObject): { path: string; rest: JsonObject } {
  const rest = { ...request };
  const path = template.replace(/\{(\w+)(?:=[^}]*)?\}/g, (_whole, field: string) => {
    const value = rest[field];
    delete rest[field];
    return encodeURIComponent(String(value ?? ""));
  });
  return { path, rest };
}

function queryOf(fields: JsonObject): string {
  const params = new URLSearchParams();
  const add = (name: string, value: JsonValue): void => {
    if (Array.isArray(value)) {
      for (const one of value) {
        add(name, one);
      }
    } else if (typeof value === "object" && value !== null) {
      for (const [key, one] of Object.entries(value)) {
        add(`${name}.${key}`, one);
      }
    } else {
      params.append(name, String(value));
    }
  };
  for (const [name, value] of Object.entries(fields)) {
    add(name, value as JsonValue);
  }
  const query = params.toString();
  return query === "" ? "" : `?${query}`;
}

/** A call with `buf curl` over gRPC, with the schema in the project's folder. */
export function grpcSnippet(call: Call, { baseUrl, hasKey }: SnippetOptions): string {
  const { method } = call;
  // Without TLS, HTTP/2 is not negotiated.
  const cleartext = baseUrl.startsWith("http:") ? " --http2-prior-knowledge" : "";
  return [
    `npx buf curl --schema proto --protocol grpc${cleartext}`,
    ...(hasKey ? [`-H "x-api-key: $${KEY_VARIABLE}"`] : []),
    `-d ${shellQuote(JSON.stringify(requestJson(call, "proto")))}`,
    `${baseUrl}/${method.parent.typeName}/${method.name}`,
  ].join(" \\\n  ");
}

/** A call with the client package @modelscout/client, for Node and browsers. */
export function typescriptSnippet(call: Call, { baseUrl, hasKey }: SnippetOptions): string {
  const { method } = call;
  const service = method.parent.name.replace(/Service$/, "");
  const client = service.charAt(0).toLowerCase() + service.slice(1);
  const request = requestJson(call, "camel");
  const options = [`baseUrl: ${JSON.stringify(baseUrl)}`, ...(hasKey ? [`apiKey: process.env.${KEY_VARIABLE}`] : [])];
  return [
    'import { createModelscoutClient } from "@modelscout/client";',
    "",
    `const { ${client} } = createModelscoutClient({ ${options.join(", ")} });`,
    `const answer = await ${client}.${method.localName}(${literal(request)});`,
    "console.dir(answer, { depth: null });",
  ].join("\n");
}

/** A value as a TypeScript literal. */
function literal(value: JsonValue, indent = ""): string {
  if (Array.isArray(value)) {
    return `[${value.map((one) => literal(one, indent)).join(", ")}]`;
  }
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value);
  }
  const inner = `${indent}  `;
  const fields = Object.entries(value).map(([name, one]) => `${inner}${name}: ${literal(one as JsonValue, inner)},\n`);
  return fields.length === 0 ? "{}" : `{\n${fields.join("")}${indent}}`;
}

/** A call's request in ProtoJSON: by the names of the contract, or in lowerCamelCase. */
function requestJson({ method, request }: Call, names: "proto" | "camel"): JsonObject {
  return toJson(method.input, request, { useProtoFieldName: names === "proto" }) as JsonObject;
}

/** Quotes a text as one word of a POSIX shell. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
