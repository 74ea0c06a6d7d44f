import type { Call } from "../api/call.ts";
import { KEY_VARIABLE } from "./key-variable.ts";
import { requestJson } from "./request-json.ts";
import { shellQuote } from "./shell-quote.ts";
import type { SnippetOptions } from "./snippet-options.ts";

/** A call over gRPC by `buf curl`, with the schema of the project's folder. */
export function grpcSnippet(call: Call, { baseUrl, hasKey }: SnippetOptions): string {
  const { method } = call;
  // Without TLS nothing negotiates HTTP/2.
  const cleartext = baseUrl.startsWith("http:") ? " --http2-prior-knowledge" : "";
  return [
    `npx buf curl --schema proto --protocol grpc${cleartext}`,
    ...(hasKey ? [`-H "x-api-key: $${KEY_VARIABLE}"`] : []),
    `-d ${shellQuote(JSON.stringify(requestJson(call, "proto")))}`,
    `${baseUrl}/${method.parent.typeName}/${method.name}`,
  ].join(" \\\n  ");
}
