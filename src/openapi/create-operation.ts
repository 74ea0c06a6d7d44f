import type { DescField, DescMessage, JsonValue } from "@bufbuild/protobuf";
import { FieldBehavior } from "../../gen/google/api/field_behavior_pb.ts";
import type { Binding } from "../../packages/connect-transcoding/src/tools.ts";
import { type CommentOf, splitComment, tagName } from "./comments.ts";
import type {
  Example,
  Header,
  JsonSchema,
  MediaType,
  Operation,
  Parameter,
  Reference,
  RequestBody,
} from "./document.ts";
import type { PathParameter } from "./names.ts";
import { behaviors } from "./names.ts";
import { type Schemas, wellKnownSchema } from "./schemas.ts";

/** A parameter. Its schema's description, example and deprecation move to the parameter, where tools look for them. */
export function parameterOf(parameter: Pick<Parameter, "name" | "in"> & { schema: JsonSchema }): Parameter {
  const { description, deprecated, examples, ...schema } = parameter.schema;
  const [example] = (examples ?? []) as JsonValue[];
  return {
    name: parameter.name,
    in: parameter.in,
    ...(parameter.in === "path" ? { required: true } : {}),
    ...(deprecated === true ? { deprecated } : {}),
    ...(typeof description === "string" ? { description } : {}),
    schema,
    ...(example === undefined ? {} : { example }),
  };
}

/**
 * The query parameters of a binding: every field that neither the path nor the body sets. Fields of messages are
 * `outer.inner`, lists repeat their parameter, maps are `name[key]=value`. What a query cannot carry (lists of
 * messages, messages inside themselves, Any) is left out.
 */
export function queryParameters({ method, body, variables }: Binding, schemas: Schemas): Parameter[] {
  if (body === "message") {
    return [];
  }
  const bound = new Set(variables.map(({ fieldPath }) => fieldPath));
  const bodyField = body === "none" ? undefined : body;
  // Only one member of a oneof can be set.
  const oneofs = new Set([...variables.map(({ fields }) => fields.at(-1)?.oneof), bodyField?.oneof]);
  oneofs.delete(undefined);
  const isExcluded = ({ fields }: FieldPath) => fields.some(({ oneof }) => oneof !== undefined && oneofs.has(oneof));
  return fieldsBelow(method.input, [], [])
    .filter((each) => each.fields[0] !== bodyField && !bound.has(each.path) && !isExcluded(each))
    .map(({ fields, path }) => {
      const field = fields.at(-1)!;
      const ofField = schemas.field(field, "request");
      const schema = isFreeJson(field) ? { ...ofField, type: "string", contentMediaType: "application/json" } : ofField;
      const parameter = parameterOf({ name: path, in: "query", schema });
      const isRequired = fields.every((each) => behaviors(each).includes(FieldBehavior.REQUIRED));
      return {
        ...parameter,
        ...(isRequired ? { required: true } : {}),
        ...(field.fieldKind === "map" ? { style: "deepObject" as const } : {}),
      };
    });
}

/** Whether the field takes any JSON, which a query has as text. */
function isFreeJson(field: DescField): boolean {
  return /^google\.protobuf\.(?:Struct|Value|ListValue)$/.test(field.message?.typeName ?? "");
}

interface FieldPath {
  fields: readonly DescField[];
  /** Joined by dots. */
  path: string;
}

function fieldsBelow(desc: DescMessage, before: readonly DescField[], inside: readonly DescMessage[]): FieldPath[] {
  if (inside.includes(desc)) {
    return [];
  }
  return desc.fields.flatMap((field): FieldPath[] => {
    if (field.message?.typeName === "google.protobuf.Any") {
      return [];
    }
    const fields = [...before, field];
    const hasFields = field.message !== undefined && wellKnownSchema(field.message) === undefined;
    if (!hasFields) {
      return [{ fields, path: fields.map(({ name }) => name).join(".") }];
    }
    return field.fieldKind === "message" ? fieldsBelow(field.message, fields, [...inside, desc]) : [];
  });
}

/** What the reference adds to one operation. */
export interface OperationNotes {
  /** Text after the method's comment. */
  remark?: string;
  security?: Operation["security"];
  /** Headers of the answer 200. */
  headers?: Record<string, Header | Reference>;
  /** The other answers, by status. */
  responses?: Operation["responses"];
  /** Fields of the body that are optional here, although their message requires them elsewhere. */
  optional?: readonly string[];
  requestExamples?: Record<string, Example>;
  responseExamples?: Record<string, Example>;
}

/** The context that an operation is described in. */
export interface OperationContext {
  id: string;
  pathParameters: readonly PathParameter[];
  notes: OperationNotes;
  schemas: Schemas;
  commentOf: CommentOf;
  errorSchema: JsonSchema;
}

/** Describes one way to call a method over HTTP. */
export function createOperation(binding: Binding, context: OperationContext): Operation {
  const { method } = binding;
  const { notes, commentOf } = context;
  const { summary, rest } = splitComment(commentOf(method));
  const description = [rest, notes.remark].filter(Boolean).join("\n\n");
  const parameters = [
    ...context.pathParameters.map((parameter) => pathParameter(parameter, context)),
    ...queryParameters(binding, context.schemas),
  ];
  const requestBody = requestBodyOf(binding, context);
  return {
    operationId: context.id,
    "x-rpc": `${method.parent.typeName}/${method.name}`,
    tags: [tagName(method.parent)],
    ...(summary === "" ? {} : { summary }),
    ...(description === "" ? {} : { description }),
    ...(method.deprecated ? { deprecated: true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      200: {
        description: splitComment(commentOf(method.output)).summary || "Success",
        ...(notes.headers === undefined ? {} : { headers: notes.headers }),
        content: responseContent(binding, context),
      },
      ...notes.responses,
    },
    ...(notes.security === undefined ? {} : { security: notes.security }),
  };
}

function pathParameter({ name, field, segment, isOpenEnded }: PathParameter, { schemas }: OperationContext): Parameter {
  const ofField = field === undefined ? {} : schemas.field(field, "request");
  // A single segment has neither the rules nor the example of the whole value.
  const schema =
    segment === undefined ? ofField : { type: "string", description: ofField.description ?? "", ...segment };
  // An empty segment would make another path.
  const filled = schema.type === "string" && schema.enum === undefined ? { minLength: 1, ...schema } : schema;
  const { description, ...parameter } = parameterOf({ name, in: "path", schema: filled });
  const open = isOpenEnded ? "The rest of the path, including slashes." : "";
  const text = [description, open].filter(Boolean).join(" ");
  return text === "" ? parameter : { ...parameter, description: text };
}

function requestBodyOf(binding: Binding, { schemas, notes }: OperationContext): RequestBody | undefined {
  const { body, method, variables } = binding;
  if (body === "none") {
    return undefined;
  }
  if (isHttpBody(body === "message" ? method.input : body.message)) {
    return { content: { "*/*": {} } };
  }
  const inPath = new Set(variables.filter(({ fields }) => fields.length === 1).flatMap(({ fields }) => fields));
  const inBody = body === "message" ? method.input.fields.filter((field) => !inPath.has(field)) : [body];
  const { message } = body === "message" ? {} : body;
  // PATCH sends only the fields that change.
  const optional = binding.httpMethod === "PATCH" ? undefined : notes.optional;
  const isPartial = binding.httpMethod === "PATCH" || optional !== undefined;
  const schema =
    body !== "message"
      ? isPartial && message !== undefined && body.fieldKind === "message"
        ? partial(message, schemas, optional)
        : schemas.field(body, "request")
      : inPath.size > 0
        ? schemas.messageWithout(method.input, "request", inPath)
        : schemas.message(method.input, "request");
  const isStream = method.methodKind === "client_streaming" || method.methodKind === "bidi_streaming";
  const examples = notes.requestExamples === undefined ? {} : { examples: notes.requestExamples };
  return {
    ...(inBody.some((field) => behaviors(field).includes(FieldBehavior.REQUIRED)) ? { required: true } : {}),
    content: { [isStream ? "application/x-ndjson" : "application/json"]: { schema, ...examples } },
  };
}

/** The schema of a message in a request where `optional` fields (undefined: all fields) may be missing. */
function partial(message: DescMessage, schemas: Schemas, optional: readonly string[] | undefined): JsonSchema {
  const whole = schemas.messageWithout(message, "request", new Set());
  const { required = [], ...rest } = whole as JsonSchema & {
    required?: string[];
    properties: Record<string, JsonSchema>;
  };
  const left = optional === undefined ? [] : required.filter((name) => !optional.includes(name));
  if (left.length === required.length) {
    return schemas.message(message, "request");
  }
  const properties = { ...rest.properties };
  for (const name of optional ?? []) {
    // An empty text stands for one that is missing.
    const { minLength: _, ...rules } = properties[name] ?? {};
    properties[name] = rules;
  }
  return { ...rest, properties, ...(left.length > 0 && { required: left }) };
}

function responseContent(binding: Binding, context: OperationContext): Record<string, MediaType> {
  const { method, responseField } = binding;
  const { schemas, errorSchema, notes } = context;
  if (isHttpBody(responseField === undefined ? method.output : responseField.message)) {
    return { "*/*": {} };
  }
  const schema =
    responseField === undefined ? schemas.message(method.output, "response") : schemas.field(responseField, "response");
  const examples = notes.responseExamples === undefined ? {} : { examples: notes.responseExamples };
  if (method.methodKind === "unary" || method.methodKind === "client_streaming") {
    return { "application/json": { schema, ...examples } };
  }
  const result = { type: "object", properties: { result: schema }, required: ["result"] };
  const line = {
    description: "One line of the stream. If there is an error, it is the last line.",
    oneOf: [result, errorSchema],
  };
  return { "application/x-ndjson": { schema: line, ...examples }, "text/event-stream": { schema } };
}

function isHttpBody(desc: DescMessage | undefined): boolean {
  return desc?.typeName === "google.api.HttpBody";
}
