import type { JsonValue } from "@bufbuild/protobuf";
import type { Call } from "../api/call.ts";
import { KEY_VARIABLE } from "./key-variable.ts";
import { requestJson } from "./request-json.ts";
import type { SnippetOptions } from "./snippet-options.ts";

/** A call by the package's TypeScript client, for Node and for browsers. */
export function typescriptSnippet(call: Call, { baseUrl, hasKey }: SnippetOptions): string {
  const { method } = call;
  const service = method.parent.name.replace(/Service$/, "");
  const client = service.charAt(0).toLowerCase() + service.slice(1);
  const request = requestJson(call, "camel");
  const options = [`baseUrl: ${JSON.stringify(baseUrl)}`, ...(hasKey ? [`apiKey: process.env.${KEY_VARIABLE}`] : [])];
  return [
    'import { createModelscoutClient } from "modelscout";',
    "",
    `const { ${client} } = createModelscoutClient({ ${options.join(", ")} });`,
    `const answer = await ${client}.${method.localName}(${literal(request)});`,
    "console.dir(answer, { depth: null });",
  ].join("\n");
}

/** A value as TypeScript spells it. */
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
