import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** A schema of JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = JsonObject;

/** A reference to a component. */
export type Reference = { $ref: string };

/** An OpenAPI 3.1 document: the parts of the specification that are written here. */
export interface OpenApiDocument {
  openapi: "3.1.0";
  info: Info;
  servers: Array<{ url: string; description?: string }>;
  tags: Tag[];
  paths: Record<string, PathItem>;
  components: Components;
}

export interface Info {
  title: string;
  version: string;
  summary?: string;
  /** In CommonMark. */
  description?: string;
  license?: { name: string; identifier: string };
}

export interface Tag {
  name: string;
  description?: string;
}

/** Operations by HTTP method in lower case. */
export type PathItem = Partial<Record<HttpMethod, Operation>>;

export const httpMethods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** The methods that OpenAPI can describe. */
export type HttpMethod = (typeof httpMethods)[number];

export interface Operation {
  operationId: string;
  /** The same operation in gRPC, as `package.Service/Method`. */
  "x-rpc"?: string;
  tags: string[];
  summary?: string;
  description?: string;
  deprecated?: boolean;
  parameters?: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, Response | Reference>;
  /** Alternatives, of which one suffices. An empty one means that no authentication is needed. */
  security?: Array<Record<string, string[]>>;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  deprecated?: boolean;
  description?: string;
  style?: "deepObject";
  schema: JsonSchema;
  example?: JsonValue;
}

export interface RequestBody {
  required?: boolean;
  content: Record<string, MediaType>;
}

export interface MediaType {
  schema?: JsonSchema;
  examples?: Record<string, Example>;
}

export interface Example {
  summary?: string;
  value: JsonValue;
}

export interface Response {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: Record<string, MediaType>;
}

export interface Header {
  description?: string;
  required?: boolean;
  schema: JsonSchema;
  example?: JsonValue;
}

export interface Components {
  schemas: Record<string, JsonSchema>;
  responses?: Record<string, Response>;
  headers?: Record<string, Header>;
  securitySchemes?: Record<string, JsonObject>;
}
