import { readFileSync } from "node:fs";
import type { DescMethod, JsonValue } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import { commentReader, createDocument, type OpenApiDocument, type OperationNotes } from "../../openapi/index.ts";
import { type MethodAccess, methodAccess } from "../../rpc/call/method-options.ts";
import type { Binding } from "../../transcoding/index.ts";
import { version } from "../../version.ts";
import { answerHeaders, headerReferences } from "./answer-headers.ts";
import { describedMethods } from "./described-methods.ts";
import { errorResponses, errorsOf } from "./error-answers.ts";
import { errorDetailMessages, errorSchema, errorSchemas } from "./error-schemas.ts";
import { fieldRules } from "./field-rules.ts";
import { introduction } from "./introduction.ts";
import { requestExamples } from "./request-examples.ts";
import { servicePaths, serviceTag } from "./service-paths.ts";

/** The segments of names in paths where the slash is plain. */
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
  const methods = describedMethods(routes);
  const document = createDocument({
    methods,
    info: {
      title: "modelscout",
      version,
      summary: "Recommends AI models for a need in plain English.",
      description: introduction(),
      license: { name: "Apache 2.0", identifier: "Apache-2.0" },
    },
    notesOn: (binding) => notesOn(binding, commentOf(binding.method), answers),
    fieldRules: fieldRules(methods.map(({ input }) => input)),
    segments: (field) => segments[`${field.parent.typeName}.${field.name}` as keyof typeof segments],
    // Details of errors are written without what is empty.
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
          description: "A key. Without one, a caller is Free.",
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
