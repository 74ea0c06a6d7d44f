import { readFileSync } from "node:fs";
import { createFileRegistry, type DescMethod, fromBinary, type JsonValue } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { type ConnectRouter, createConnectRouter } from "@connectrpc/connect";
import { checkLimits } from "../../../packages/connect-transcoding/src/index.ts";
import type { Binding } from "../../../packages/connect-transcoding/src/tools.ts";
import {
  commentReader,
  createDocument,
  type JsonSchema,
  type OpenApiDocument,
  type Operation,
  type OperationNotes,
  type PathItem,
  type Response,
} from "../../openapi/index.ts";
import { type MethodAccess, methodAccess, needLimits } from "../../rpc/index.ts";
import { version } from "../../version.ts";
import { answerHeaders, errorResponses, errorsOf, headerReferences } from "./error-answers.ts";
import { errorDetailMessages, errorSchema, errorSchemas } from "./error-schemas.ts";
import { alwaysSet, fieldRules } from "./field-rules.ts";
import { requestExamples } from "./request-examples.ts";

/**
 * The served methods, from descriptors with the contract's comments. The descriptors of the generated code have none.
 */
function describedMethods(routes: (router: ConnectRouter) => void): DescMethod[] {
  const file = new URL("../../../gen/modelscout.binpb", import.meta.url);
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(file)));
  const router = createConnectRouter();
  routes(router);
  return router.handlers.flatMap(({ method }) => {
    const service = registry.getService(method.parent.typeName);
    return service?.methods.filter(({ name }) => name === method.name) ?? [];
  });
}

/** The contract as schemas are made from it: the served methods with their comments, and the rules of their fields. */
export function describedContract(routes: (router: ConnectRouter) => void) {
  const methods = describedMethods(routes);
  return { methods, fieldRules: fieldRules(methods.map(({ input }) => input)), alwaysSet };
}

/** The introduction before the operations, in CommonMark. */
function introduction(): string {
  return `Say in plain English what you need a model for; get a ranked list of real models, with reasons, trade-offs,
alternatives and what it takes to run them.

## Protocols

Every operation is served as REST, as described here, and by the same names over gRPC, gRPC-Web and Connect on the same
port. \`proto/modelscout/v1/\` is the contract. REST bodies take field names in snake_case and in lowerCamelCase, and
answers are in snake_case. Unknown fields in a request are refused, and the error names the nearest known field. A fact
that is not known is absent from the answer, never 0. GET operations also answer HEAD.

## Access

Send a key in the header \`X-API-Key\`. Calls without a key are on the Free tier. An invalid key is refused; it is never
served as Free.

| tier | recommendations | sees |
| --- | --- | --- |
| Free | 10 a day | model, score, reasons, trade-offs, download size |
| Basic | 1,000 a day | the full payload |
| Pro | unlimited | the full payload, and the operations that need Pro |

The operator of a service can set other limits. Days are UTC. \`GET /models/usage\` returns your tier and the rest of
today's quota. A description may have
${needLimits.descriptionCharacters.toLocaleString("en")} characters. The limit of a body after decompression is 64 KiB for a call with a need, 16 KiB for
a call without one, 1 MiB for several needs in one call, and 32 MiB for a batch in the background.

## Errors

An error is \`{"error": {"code", "status", "message", "details"}}\`. An invalid request gets all
violations at once, or the first ${checkLimits.violationsListed} and the number of the others. \`ErrorInfo\`, one of the details, has a \`reason\`
for programs, which never changes its meaning. Messages are for people and may change. The schema \`Error\` lists all reasons.
`;
}

/** The segments of names with a plain slash in paths. */
const segments = {
  "modelscout.v1.GetModelRequest.model_name": [
    { name: "owner", description: "The model's owner; letter case is ignored.", examples: ["openai"] },
    { name: "model", description: "The model's name without its owner.", examples: ["whisper-tiny"] },
  ],
};

/** Describes everything that the service answers over REST, from the services that `routes` registers. */
export function createApiDocument(routes: (router: ConnectRouter) => void): OpenApiDocument {
  const commentOf = commentReader();
  const answers = responseExamples();
  const document = createDocument({
    ...describedContract(routes),
    info: {
      title: "modelscout",
      version,
      summary: "Recommends AI models for a need in plain English.",
      description: introduction(),
      license: { name: "Apache 2.0", identifier: "Apache-2.0" },
    },
    notesOn: (binding) => notesOn(binding, commentOf(binding.method), answers),
    operationIds: { getModel2: "getModelByOwnerAndName", previewInterest2: "previewUnsavedInterest" },
    segments: (field) => segments[`${field.parent.typeName}.${field.name}` as keyof typeof segments],
    // Details of errors are written without empty fields.
    printsEmpty: (desc) => !errorDetailMessages.some(({ file }) => file.name === desc.file.name),
    messages: errorDetailMessages,
    errorSchema,
    components: {
      responses: errorResponses(),
      headers: answerHeaders,
      securitySchemes: {
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description: "An API key. Calls without a key are on the Free tier.",
        },
      },
    },
  });
  return {
    ...document,
    tags: [...document.tags, serviceTag],
    paths: { ...document.paths, ...servicePaths },
    components: {
      ...document.components,
      schemas: { ...document.components.schemas, ...errorSchemas(document.components.schemas) },
    },
  };
}

function notesOn(binding: Binding, comment: string, answers: Readonly<Record<string, JsonValue>>): OperationNotes {
  const { method } = binding;
  const name = fullName(method);
  const answer = answers[name];
  const access = methodAccess(method);
  const isFree = access.tier === "free";
  return {
    ...(isFree ? {} : { remark: `Needs a ${access.tier === "pro" ? "Pro" : "Basic or Pro"} key.` }),
    security: isFree ? [{}, { apiKey: [] }] : [{ apiKey: [] }],
    headers: headerReferences(headersOf(access)),
    responses: errorsOf(binding, comment),
    // An interest that is not saved needs no name.
    ...(method.name === "PreviewInterest" ? { optional: ["name"] } : {}),
    ...(requestExamples[name] === undefined ? {} : { requestExamples: requestExamples[name] }),
    ...(answer === undefined
      ? {}
      : { responseExamples: { answer: { summary: "An answer, its lists cut short", value: answer } } }),
  };
}

/** The headers of a method's answers. */
function headersOf({ isPerCaller }: MethodAccess): string[] {
  return ["x-request-id", ...(isPerCaller ? ["Vary", "Cache-Control", "RateLimit", "RateLimit-Policy"] : [])];
}

/** Answers of the service to the examples of requests, with lists cut short, by method; see scripts/answer-examples.ts. */
function responseExamples(): Readonly<Record<string, JsonValue>> {
  return JSON.parse(readFileSync(new URL("./response-examples.json", import.meta.url), "utf8"));
}

function fullName(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`;
}

/** The tag of operations outside of the contract, for operators. */
const serviceTag = {
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
const servicePaths: Readonly<Record<string, PathItem>> = {
  "/healthz": read({
    operationId: "healthz",
    summary: "Whether the process runs",
    responses: {
      200: answer("The process runs", {
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
      200: answer("The service can answer", {
        type: "object",
        required: ["status"],
        properties: { status: { const: "ready" } },
      }),
      503: answer(
        "The service is starting, or cannot answer at the moment",
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
