import type { JsonSchema, Operation, PathItem, Response } from "../../openapi/index.ts";
import { headerReferences } from "./answer-headers.ts";

/** The tag of operations outside of the contract, for operators. */
export const serviceTag = {
  name: "Service",
  description: "Health, and this description. No key is needed, and calls are never counted.",
};

const answer = (description: string, schema: JsonSchema, headers: readonly string[] = []): Response => ({
  description,
  headers: headerReferences(["x-request-id", ...headers]),
  content: { "application/json": { schema } },
});

const read = (operation: Omit<Operation, "tags">): PathItem => ({
  get: { tags: [serviceTag.name], security: [{}], ...operation },
});

const text: JsonSchema = { type: "string" };

/** Health and this description. */
export const servicePaths: Readonly<Record<string, PathItem>> = {
  "/healthz": read({
    operationId: "healthz",
    summary: "Whether the process runs",
    responses: {
      200: answer("It lives", {
        type: "object",
        required: ["status", "version"],
        properties: {
          status: { const: "ok" },
          version: { ...text, description: "The program's version." },
          commit: { ...text, description: "The commit that it was built from. Absent if that is not known." },
        },
      }),
    },
  }),
  "/readyz": read({
    operationId: "readyz",
    summary: "Whether the service can answer",
    responses: {
      200: answer("It can", { type: "object", required: ["status"], properties: { status: { const: "ready" } } }),
      503: answer(
        "Not yet, or not at the moment",
        {
          type: "object",
          required: ["status", "waiting_for"],
          properties: {
            status: { const: "not ready" },
            waiting_for: { ...text, description: "What the service is waiting for." },
          },
        },
        ["Retry-After"],
      ),
    },
  }),
  "/openapi.json": read({
    operationId: "openapi",
    summary: "This description",
    responses: {
      200: answer("An OpenAPI 3.1 document", { type: "object", required: ["openapi", "info", "paths"] }, ["ETag"]),
      304: { description: "The caller's copy is current", headers: headerReferences(["x-request-id", "ETag"]) },
    },
  }),
};
