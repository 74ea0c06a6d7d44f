import {
  create,
  type DescMessage,
  type DescMethod,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Message,
  type Registry,
  toBinary,
} from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { Code, ConnectError } from "@connectrpc/connect";
import { HttpError } from "../errors/http-error.ts";
import type { Binding } from "../http-rule/binding.ts";
import { createHttpBody, type HttpBodyContent, isHttpBody } from "../http-rule/http-body.ts";
import { captureVariable } from "../http-rule/path-template.ts";
import type { FieldViolation } from "../validation/field-violation.ts";
import { createJsonValidator } from "../validation/json-validator.ts";
import { type FieldProblem, nameInBody, violationsError } from "../validation/problems.ts";
import { textReader } from "../values/readers.ts";
import { enumReader, Mismatch } from "../values/scalars.ts";
import { queryBinder } from "./bind-query.ts";
import { fieldMaskFiller, setJsonField } from "./json-fields.ts";
import { readJsonBody } from "./parse-json.ts";

/** Whether a Content-Type header means JSON: application/json or a type that ends in +json, in any case. */
export function isJsonType(contentType: string): boolean {
  const semicolon = contentType.indexOf(";");
  const type = (semicolon < 0 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase();
  return type === "application/json" || /^application\/[^/\s]+\+json$/.test(type);
}

/**
 * Checks the values of a request beyond their types, so that all its problems are reported at once. It is also called
 * for requests with fields that are missing or of the wrong type; those are reported already.
 *
 * @param json the fields that could be read, in either spelling.
 * @param sent the top-level names as the client sent them.
 */
export type CheckValues = (
  method: DescMethod,
  json: JsonObject,
  sent: ReadonlySet<string>,
) => readonly FieldViolation[];

/** Options of requestBinder(). */
interface RequestBinderOptions {
  readonly ignoreUnknownParameters: boolean;
  readonly ignoreUnknownFields: boolean;
  readonly finiteNumbersOnly: boolean;
  readonly fillFieldMaskOnPatch: boolean;
  readonly describeProblem: (problem: FieldProblem) => string;
  readonly checkValues: CheckValues;
  /** The codec of the in-process call. */
  readonly codec: "json" | "proto";
  /** Types that a google.protobuf.Any may hold. */
  readonly registry: Registry | undefined;
}

/** The parts of an HTTP request that the request message is made from. */
interface RequestParts {
  /** Raw path segments, without the verb. */
  readonly segments: readonly string[];
  /** Without "?". */
  readonly query: string;
  /** Empty if there is none. */
  readonly body: Uint8Array;
  readonly contentType: string | undefined;
}

/** A request message, not yet built. */
interface BoundRequest {
  /** In ProtoJSON. Undefined for an empty message whose JSON form is not an object. */
  readonly json: JsonValue | undefined;
  /** The content of the request's google.api.HttpBody, if the rule puts the body into one. */
  readonly httpBody: HttpBodyContent | undefined;
}

/** Changes a request message. */
export type MessageEdit = (message: Message) => void;

/**
 * Makes the message of a request, in the order body, query, path, and encodes it for the handler, for streams as bytes.
 * With the codec "proto", `edit` may change the message first. Throws an error with all violations.
 */
export type RequestBinder = (parts: RequestParts, edit?: MessageEdit) => JsonValue | Uint8Array;

/** Compiles the request binder of a binding. */
export function requestBinder(binding: Binding, options: RequestBinderOptions): RequestBinder {
  const { body, variables } = binding;
  const { input } = binding.method;
  const takesHttpBody = isHttpBody(body === "message" ? input : body === "none" ? undefined : body.message);
  const maskFiller = options.fillFieldMaskOnPatch ? fieldMaskFiller(binding) : undefined;
  const validate = createJsonValidator(typeof body === "object" ? body : input, {
    unknownFields: options.ignoreUnknownFields ? "ignore" : "reject",
    finiteNumbersOnly: options.finiteNumbersOnly,
    keepNulls: maskFiller !== undefined,
  });
  const bindQuery = queryBinder(binding, {
    ignoreUnknown: options.ignoreUnknownParameters,
    finiteNumbersOnly: options.finiteNumbersOnly,
  });
  const emptyRoot = () => (textReader(input, false) === undefined ? {} : undefined);

  // With a body of its own, other fields of the request come from the query.
  const parameters = new Set(
    input.fields
      .filter((field) => typeof body === "object" && field !== body)
      .flatMap(({ name, jsonName }) => [name, jsonName]),
  );
  const isParameter = ({ kind, field }: FieldProblem) => kind === "unknown" && parameters.has(field);

  const bindBody = (parts: RequestParts, problems: FieldProblem[]): JsonValue | undefined => {
    if (body === "none") {
      problems.push({ location: "body", field: "", kind: "syntax", expected: "no request body" });
      return undefined;
    }
    if (parts.contentType !== undefined && !isJsonType(parts.contentType)) {
      throw new HttpError(415, Code.InvalidArgument, `content type ${parts.contentType} is not supported; send JSON`, {
        accept: "application/json",
      });
    }
    const read: FieldProblem[] = [];
    const value = readJsonBody(parts.body, validate, read);
    problems.push(
      ...read.map((problem) => (isParameter(problem) ? { ...problem, kind: "parameter" as const } : problem)),
    );
    if (value === undefined && problems.length === 0 && typeof body === "object" && body.enum !== undefined) {
      // Inside a message an unknown enum name may be ignored; here it would be the whole body.
      const { expected, allowed = [] } = enumReader(body.enum).mismatch;
      problems.push({ location: "body", field: body.name, kind: "value", expected, allowed });
    }
    return value;
  };

  const bindPath = (parts: RequestParts, request: JsonObject, problems: FieldProblem[]): void => {
    for (const variable of variables) {
      const text = captureVariable(variable, parts.segments);
      const value = text === undefined ? new Mismatch("percent-encoded UTF-8") : variable.read(text);
      if (value instanceof Mismatch) {
        const { expected, allowed } = value;
        const problem = { location: "path", field: variable.fieldPath, kind: "value", expected } as const;
        problems.push(allowed === undefined ? problem : { ...problem, allowed });
      } else {
        setJsonField(request, variable.fields, value);
      }
    }
  };

  return (parts, edit) => {
    const problems: FieldProblem[] = [];
    let json: JsonValue | undefined = emptyRoot();
    let httpBody: HttpBodyContent | undefined;
    let bodyValue: JsonValue | undefined;
    let bodyPaths: readonly string[] | undefined;
    if (takesHttpBody) {
      httpBody = { contentType: parts.contentType ?? "", data: parts.body };
    } else if (parts.body.length > 0) {
      bodyValue = bindBody(parts, problems);
      if (isObject(bodyValue)) {
        bodyPaths = maskFiller?.takePaths(bodyValue);
      }
      if (bodyValue !== undefined && problems.length === 0) {
        if (typeof body === "object") {
          json = { [body.jsonName]: bodyValue };
        } else {
          json = bodyValue;
        }
      }
    }
    // The query and the path can only set fields of messages whose JSON form is an object.
    const request = isObject(json) ? json : {};
    if (parts.query !== "") {
      bindQuery(parts.query, request, problems);
    }
    if (bodyPaths !== undefined && problems.length === 0) {
      maskFiller?.fill(request, bodyPaths);
    }
    bindPath(parts, request, problems);
    // A body that is not a message has no fields to check.
    const isUnreadable = body === "message" && parts.body.length > 0 && !isObject(bodyValue);
    const partial = problems.length > 0 ? { ...request, ...bodyOf(body, bodyValue) } : request;
    const sent = new Set([...Object.keys(partial), ...queryNames(parts.query)]);
    const violations = isUnreadable ? [] : inBody(options.checkValues(binding.method, partial, sent), body);
    if (problems.length > 0 || violations.length > 0) {
      throw violationsError(problems, options.describeProblem, violations);
    }
    return encodeRequest(binding, { json, httpBody }, options, edit);
  };
}

function encodeRequest(
  binding: Binding,
  bound: BoundRequest,
  { codec, registry }: Pick<RequestBinderOptions, "codec" | "registry">,
  edit: MessageEdit | undefined,
): JsonValue | Uint8Array {
  const { input, methodKind } = binding.method;
  if (codec === "json") {
    return methodKind === "unary" ? bound.json! : Buffer.from(JSON.stringify(bound.json));
  }
  const message = buildRequest(binding, bound, registry);
  edit?.(message);
  return toBinary(input, message);
}

/** The parts of a request that come from the body. */
function bodyOf(body: Binding["body"], value: JsonValue | undefined): JsonObject {
  if (!isObject(value)) {
    return {};
  }
  return typeof body === "object" ? { [body.jsonName]: value } : value;
}

/** Renames violations to the names that the body has, where the body is one field of the request. */
function inBody(violations: readonly FieldViolation[], body: Binding["body"]): readonly FieldViolation[] {
  return violations.map(({ field, description }) => ({ field: nameInBody(field, body), description }));
}

function isObject(json: JsonValue | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

function queryNames(query: string): Iterable<string> {
  return query === "" ? [] : new URLSearchParams(query).keys();
}

/**
 * Builds the request message. Throws INVALID_ARGUMENT for faults that only protobuf-es finds, such as in the content of
 * a google.protobuf.Any.
 */
function buildRequest(binding: Binding, bound: BoundRequest, registry: Registry | undefined): Message {
  const { input } = binding.method;
  let message: Message;
  try {
    message = bound.json === undefined ? create(input) : fromJson(input, bound.json, registry ? { registry } : {});
  } catch (error) {
    throw ConnectError.from(error, Code.InvalidArgument);
  }
  if (bound.httpBody !== undefined) {
    if (isHttpBody(input)) {
      message = createHttpBody(input, bound.httpBody);
    } else if (typeof binding.body === "object" && binding.body.fieldKind === "message") {
      const content = createHttpBody(binding.body.message, bound.httpBody);
      reflect(input, message).set(binding.body, reflect(binding.body.message, content));
    }
  }
  return message;
}

/** Whether a message can hold a google.protobuf.Any at any depth. Reading its JSON then needs a type registry. */
export function containsAny(desc: DescMessage, seen: Set<DescMessage> = new Set()): boolean {
  if (desc.typeName === "google.protobuf.Any") {
    return true;
  }
  if (seen.has(desc)) {
    return false;
  }
  seen.add(desc);
  return desc.fields.some((field) => field.message !== undefined && containsAny(field.message, seen));
}
