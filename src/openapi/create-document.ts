import type { DescField, DescMessage, DescMethod } from "@bufbuild/protobuf";
import { type Binding, compileBindings, readHttpRule } from "../../packages/connect-transcoding/src/tools.ts";
import { commentReader, tagName } from "./comments.ts";
import { createOperation, type OperationNotes } from "./create-operation.ts";
import {
  type Components,
  type HttpMethod,
  httpMethods,
  type Info,
  type JsonSchema,
  type OpenApiDocument,
  type PathItem,
} from "./document.ts";
import { type PathSegment, pathKey } from "./names.ts";
import { Schemas } from "./schemas.ts";

/** What an API reference adds to the descriptors. */
export interface DocumentOptions {
  /** The methods, from descriptors with source info. Methods without an HTTP rule are left out. */
  methods: readonly DescMethod[];
  info: Info;
  /** Notes on an operation. Default: none. */
  notesOn?: (binding: Binding) => OperationNotes;
  /** Rules of fields beyond their types, by full name such as `library.v1.Book.title`. */
  fieldRules?: Readonly<Record<string, JsonSchema>>;
  /** Names for operation ids that would be numbered, such as getPlant2. Default: the numbered ids. */
  operationIds?: Readonly<Record<string, string>>;
  /** Fields with presence that responses always have, by full name. Default: none. */
  alwaysSet?: ReadonlySet<string>;
  /** The segments of a path variable that covers several, in order. Default: the variable's name, numbered. */
  segments?: (field: DescField) => readonly PathSegment[] | undefined;
  /** Whether responses include a message's fields that are zero or empty. Default: always. */
  printsEmpty?: (desc: DescMessage) => boolean;
  /** Messages that no method names but responses hold, such as the details of errors. */
  messages?: readonly DescMessage[];
  /** The schema of errors, which can end a stream of lines. */
  errorSchema: JsonSchema;
  /** Components besides the messages. */
  components?: Partial<Components>;
}

/**
 * Describes REST services in OpenAPI 3.1: every google.api.http rule with its additional bindings as an operation, the
 * comments of the contract as texts, and the messages as schemas.
 *
 * @throws Error that names the method for a rule that cannot be bound or that OpenAPI cannot express.
 */
export function createDocument(options: DocumentOptions): OpenApiDocument {
  const bindings = options.methods.flatMap(bindingsOf);
  const methods = [...new Set(bindings.map(({ method }) => method))];
  const messages = options.messages ?? [];
  const commentOf = commentReader();
  const schemas = new Schemas(
    { request: methods.map(({ input }) => input), response: [...methods.map(({ output }) => output), ...messages] },
    { commentOf, fieldRules: options.fieldRules ?? {}, printsEmpty: options.printsEmpty, alwaysSet: options.alwaysSet },
  );
  for (const desc of messages) {
    schemas.message(desc, "response");
  }

  const paths = new Map<string, { path: string; names: string[]; item: PathItem }>();
  const idOf = operationIds(bindings);
  for (const binding of bindings) {
    const { path, parameters } = pathKey(binding, options.segments);
    // OpenAPI takes paths that differ only in the names of their parameters for one path.
    const shape = path.replace(/\{[^{}]*\}/g, "{}");
    const known = paths.get(shape) ?? { path, names: parameters.map(({ name }) => name), item: {} };
    paths.set(shape, known);
    known.item[httpMethodOf(binding)] = createOperation(binding, {
      id: options.operationIds?.[idOf(binding)] ?? idOf(binding),
      pathParameters: parameters.map((parameter, i) => ({ ...parameter, name: known.names[i] as string })),
      notes: options.notesOn?.(binding) ?? {},
      schemas,
      commentOf,
      errorSchema: options.errorSchema,
    });
  }
  const services = [...new Set(methods.map(({ parent }) => parent))];
  return {
    openapi: "3.1.0",
    info: options.info,
    servers: [{ url: "/" }],
    tags: services.map((service) => ({ name: tagName(service), ...described(commentOf(service)) })),
    paths: Object.fromEntries([...paths.values()].map(({ path, item }) => [path, item])),
    components: {
      ...options.components,
      schemas: { ...schemas.components, ...options.components?.schemas },
    },
  };
}

/** The method under which a rule for any HTTP method is described. */
const usualMethods = ["GET", "PUT", "POST", "DELETE", "PATCH"];

function bindingsOf(method: DescMethod): Binding[] {
  const rule = readHttpRule(method);
  if (rule === undefined) {
    return [];
  }
  const bindings = compileBindings(method, rule, { allowDeleteBody: true, finiteNumbersOnly: true });
  return bindings.flatMap((binding) =>
    binding.httpMethod === "*" ? usualMethods.map((httpMethod) => ({ ...binding, httpMethod })) : [binding],
  );
}

function httpMethodOf({ httpMethod, method }: Binding): HttpMethod {
  const found = httpMethods.find((name) => name.toUpperCase() === httpMethod);
  if (found === undefined) {
    throw new Error(`${method.parent.typeName}.${method.name}: OpenAPI cannot describe the HTTP method ${httpMethod}`);
  }
  return found;
}

/** Operation ids: the method's name, with its service if two share it, and numbered if it has several bindings. */
function operationIds(bindings: readonly Binding[]): (binding: Binding) => string {
  const methods = [...new Set(bindings.map(({ method }) => method))];
  return (binding) => {
    const { method } = binding;
    const isAmbiguous = methods.some((other) => other !== method && other.localName === method.localName);
    const place = bindings.filter((other) => other.method === method).indexOf(binding);
    const name = isAmbiguous ? `${method.localName}In${tagName(method.parent)}` : method.localName;
    return place === 0 ? name : `${name}${place + 1}`;
  };
}

function described(description: string): { description?: string } {
  return description === "" ? {} : { description };
}
