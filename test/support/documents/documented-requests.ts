import type { JsonValue } from "@bufbuild/protobuf";
import type { OpenApiDocument, Operation } from "../../../src/openapi/index.ts";
import type { HttpRequest } from "../clients/http.ts";

/** A request that a document shows as an example. */
export interface DocumentedRequest {
  /** The operation and the example. */
  name: string;
  operation: Operation;
  request: HttpRequest & { method: string };
}

/** Every operation of a document, with its path and method. */
export function operationsOf({
  paths,
}: OpenApiDocument): Array<{ path: string; method: string; operation: Operation }> {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** The requests that a document's examples make, written as a tool would that knows nothing but the document. */
export function documentedRequests(document: OpenApiDocument): DocumentedRequest[] {
  return operationsOf(document).flatMap(({ path, method, operation }) => {
    const target = withParameters(path, operation);
    const bodies = Object.entries(operation.requestBody?.content["application/json"]?.examples ?? {});
    const examples: Array<[string, JsonValue | undefined]> =
      operation.requestBody === undefined
        ? [["", undefined]]
        : bodies.map(([name, { value }]): [string, JsonValue] => [name, value]);
    return examples.map(([name, value]) => ({
      name: `${operation.operationId} ${name}`.trim(),
      operation,
      request: {
        method: method.toUpperCase(),
        path: target,
        ...(value === undefined
          ? {}
          : { headers: { "content-type": "application/json" }, body: JSON.stringify(value) }),
      },
    }));
  });
}

function withParameters(path: string, { parameters = [] }: Operation): string {
  const query = new URLSearchParams();
  let target = path;
  for (const { name, in: place, example } of parameters) {
    if (example === undefined) {
      continue;
    }
    for (const one of Array.isArray(example) ? example : [example]) {
      const text = typeof one === "string" ? one : JSON.stringify(one);
      if (place === "path") {
        target = target.replace(`{${name}}`, encodeURIComponent(text));
      }
      if (place === "query") {
        query.append(name, text);
      }
    }
  }
  return query.size > 0 ? `${target}?${query}` : target;
}
