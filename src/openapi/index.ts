export { commentReader } from "./comments.ts";
export { createDocument, type DocumentOptions } from "./create-document.ts";
export type { OperationNotes } from "./create-operation.ts";
export type {
  Example,
  Header,
  JsonSchema,
  OpenApiDocument,
  Operation,
  PathItem,
  Reference,
  Response,
} from "./document.ts";
export type { Direction } from "./names.ts";
export { mergeSchemas, type SchemaOptions, Schemas } from "./schemas.ts";
