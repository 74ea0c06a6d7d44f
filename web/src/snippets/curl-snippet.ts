import { getOption, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { http } from "../../../gen/google/api/annotations_pb.ts";
import type { HttpRule } from "../../../gen/google/api/http_pb.ts";
import type { Call } from "../api/call.ts";
import { KEY_VARIABLE } from "./key-variable.ts";
import { requestJson } from "./request-json.ts";
import { shellQuote } from "./shell-quote.ts";
import type { SnippetOptions } from "./snippet-options.ts";

/** A call as curl over REST, read from the method's google.api.http rule. */
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
