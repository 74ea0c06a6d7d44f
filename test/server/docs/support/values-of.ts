import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { JsonSchema, OpenApiDocument } from "../../../../src/openapi/index.ts";
import type { HttpRequest } from "../../../support/clients/http.ts";
import type { DocumentedRequest } from "../../../support/documents/documented-requests.ts";

/** A request with one value at or beyond a bound that the document tells, and whether it is to be taken. */
export interface BoundedValue {
  name: string;
  field: string;
  request: HttpRequest;
  isTaken: boolean;
}

/** A speed is judged on hardware, so that a request needs both. */
const besideSpeed = { hardware: "cpu" };

/** Every value at or beyond a bound of an operation's parameters and body, put into one of its example requests. */
export function valuesOf(document: OpenApiDocument, { name, operation, request }: DocumentedRequest): BoundedValue[] {
  const inQuery = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  const fromQuery = inQuery.flatMap((parameter) =>
    bounded(parameter.schema).map(({ value, isTaken }) => {
      const target = new URL(request.path, "http://localhost");
      target.searchParams.delete(parameter.name);
      for (const each of Array.isArray(value) ? value : [value]) {
        target.searchParams.append(parameter.name, String(each));
      }
      const changed = { ...request, path: target.pathname + target.search };
      return { name: received(name, parameter.name, value, isTaken), field: parameter.name, request: changed, isTaken };
    }),
  );
  const schema = operation.requestBody?.content["application/json"]?.schema;
  if (schema === undefined) {
    return fromQuery;
  }
  const body = JSON.parse(String(request.body)) as JsonObject;
  const fromBody = fieldsOf(document, schema).flatMap(({ field, schema: rules }) =>
    bounded(rules).map(({ value, isTaken }) => {
      const [outer = "", inner] = field.split(".");
      const beside = field === "min_tokens_per_second" ? besideSpeed : {};
      const changed = { ...body, ...beside, [outer]: inner === undefined ? value : { [inner]: value } };
      const sent = { ...request, body: JSON.stringify(changed) };
      return { name: received(name, field, value, isTaken), field, request: sent, isTaken };
    }),
  );
  return [...fromQuery, ...fromBody];
}

/** The fields of a body, and those of its messages by a dot. */
function fieldsOf(document: OpenApiDocument, schema: JsonSchema): Array<{ field: string; schema: JsonSchema }> {
  const { properties = {} } = resolved(document, schema) as { properties?: Record<string, JsonSchema> };
  return Object.entries(properties).flatMap(([field, rules]) => {
    const { properties: inner } = resolved(document, rules) as { properties?: Record<string, JsonSchema> };
    const below = Object.entries(inner ?? {}).map(([name, schema]) => ({ field: `${field}.${name}`, schema }));
    return [{ field, schema: rules }, ...below];
  });
}

function resolved(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const name = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1)! : undefined;
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}

/** Values at the bounds of a schema, and the nearest beyond them. */
function bounded(schema: JsonSchema): Array<{ value: JsonValue; isTaken: boolean }> {
  const values: Array<{ value: JsonValue; isTaken: boolean }> = [];
  const step = schema.type === "integer" ? 1 : 0.001;
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, maxItems, minItems } = schema as Record<
    string,
    number
  >;
  const items = (schema.items ?? {}) as { pattern?: string; type?: string };
  if (Array.isArray(schema.enum)) {
    values.push(...schema.enum.map((value) => ({ value, isTaken: true })), { value: "zzqx", isTaken: false });
  }
  if (minimum !== undefined) {
    values.push({ value: minimum, isTaken: true }, { value: minimum - step, isTaken: false });
  }
  if (exclusiveMinimum !== undefined) {
    values.push({ value: exclusiveMinimum + step, isTaken: true }, { value: exclusiveMinimum, isTaken: false });
  }
  if (maximum !== undefined) {
    values.push({ value: maximum, isTaken: true }, { value: maximum * 1.5, isTaken: false });
  }
  if (maxLength !== undefined && schema.enum === undefined) {
    const start = schema.format === "uri" ? "https://hooks.example.com/" : "";
    // Texts of which nothing else is said are ids, tokens and names, of which no long one is right.
    if (minLength !== undefined) {
      values.push({ value: start.padEnd(maxLength, "x"), isTaken: true });
    }
    values.push({ value: start.padEnd(maxLength + 1, "x"), isTaken: false });
  }
  if (minLength !== undefined) {
    values.push({ value: "x".repeat(minLength - 1), isTaken: false });
  }
  // Which texts a list takes is known of two patterns only: codes of languages and kinds of wishes.
  const item = ["en", "size"].find((text) => items.pattern !== undefined && new RegExp(items.pattern).test(text));
  if (item !== undefined) {
    values.push({ value: [item], isTaken: true }, { value: ["zz-qx"], isTaken: false });
    if (maxItems !== undefined) {
      values.push({ value: Array<string>(maxItems).fill(item), isTaken: true });
      values.push({ value: Array<string>(maxItems + 1).fill(item), isTaken: false });
    }
  } else if (maxItems !== undefined) {
    const fill: JsonValue = items.type === "string" ? "x" : { description: "x" };
    values.push({ value: Array<JsonValue>(maxItems + 1).fill(fill), isTaken: false });
  }
  if (minItems === 1) {
    values.push({ value: [], isTaken: false });
  }
  return values;
}

function received(request: string, field: string, value: JsonValue, isTaken: boolean): string {
  return `${request}: ${field} ${JSON.stringify(value).slice(0, 40)} is ${isTaken ? "taken" : "refused"}`;
}
