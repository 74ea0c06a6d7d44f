import type { DescMessage } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  HelpSchema,
  QuotaFailureSchema,
  ResourceInfoSchema,
  RetryInfoSchema,
} from "../../../gen/google/rpc/error_details_pb.ts";
import { errorTable } from "../../error.ts";
import type { JsonSchema } from "../../openapi/index.ts";
import { codeName } from "../rest-error.ts";
import { reasonsByStatus } from "./reasons-by-status.ts";

/** What can stand in the details of an error, and what it says. */
const detailMessages: ReadonlyArray<{ desc: DescMessage; description: string }> = [
  { desc: ErrorInfoSchema, description: "Why the request failed, for programs." },
  { desc: BadRequestSchema, description: "Everything that is wrong with the request." },
  { desc: ResourceInfoSchema, description: "What was not found, or may not be touched." },
  { desc: QuotaFailureSchema, description: "The limits that the request would have exceeded." },
  { desc: RetryInfoSchema, description: "When to try again." },
  { desc: HelpSchema, description: "Where to read on." },
];

/** Their types. */
export const errorDetailMessages: readonly DescMessage[] = detailMessages.map(({ desc }) => desc);

const codeNames = Object.values(Code)
  .filter((code) => typeof code === "number")
  .map(codeName);

/** The form of every error. */
export const errorSchema: JsonSchema = { $ref: "#/components/schemas/Error" };

/** The schemas of errors and of what can stand in their details, given those of the messages. */
export function errorSchemas(messages: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const details = detailMessages.map(({ desc: { name, typeName }, description }) => ({
    name,
    description,
    type: `type.googleapis.com/${typeName}`,
  }));
  return {
    Error: {
      type: "object",
      description: `What went wrong, in the form of AIP-193.\n\n| status | reason | message |\n| --- | --- | --- |\n${reasonRows()}`,
      required: ["error"],
      properties: {
        error: {
          type: "object",
          required: ["code", "status", "message", "details"],
          properties: {
            code: { type: "integer", description: "The HTTP status.", minimum: 400, maximum: 599 },
            status: { type: "string", description: "The name of the gRPC code.", enum: codeNames },
            message: { type: "string", description: "For people; its words may change." },
            details: { type: "array", items: { $ref: "#/components/schemas/ErrorDetail" } },
          },
        },
      },
    },
    ErrorDetail: {
      description: "What programs can know of an error. The `ErrorInfo` has the reason.",
      oneOf: details.map(({ name }) => ({ $ref: `#/components/schemas/${name}` })),
      discriminator: {
        propertyName: "@type",
        mapping: Object.fromEntries(details.map(({ name, type }) => [type, `#/components/schemas/${name}`])),
      },
    },
    ...Object.fromEntries(
      details.map(({ name, description, type }) => [
        name,
        {
          ...messages[name],
          description,
          properties: { "@type": { const: type }, ...(messages[name]?.properties as JsonSchema) },
          required: ["@type"],
        },
      ]),
    ),
  };
}

/** A table of all reasons. */
function reasonRows(): string {
  return reasonsByStatus()
    .flatMap(({ status, reasons }) =>
      reasons.map((reason) => {
        const message = errorTable[reason].message.replace(/\{nearest\}/g, "; the nearest: …").replace(/\{\w+\}/g, "…");
        return `| ${status} | \`${reason}\` | ${message.replaceAll("|", "\\|")} |`;
      }),
    )
    .join("\n");
}
