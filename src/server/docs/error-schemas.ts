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
import { httpStatus } from "../../../packages/connect-transcoding/src/index.ts";
import { type ErrorReason, errorTable } from "../../error.ts";
import type { JsonSchema } from "../../openapi/index.ts";
import { reasonOfStatus } from "../errors/complete-error.ts";
import { codeName } from "../errors/send-error.ts";

/** Reasons that belong to methods without REST. */
const notOverRest: readonly ErrorReason[] = [
  "METHOD_UNKNOWN",
  "KEY_NOT_FOUND",
  "OPERATOR_OFF",
  "OPERATOR_TOKEN_REFUSED",
  "OPERATOR_ATTEMPTS_EXCEEDED",
  "SYNC_RUNNING",
];

/** The statuses of REST answers and their reasons, in the order of the statuses. */
export function reasonsByStatus(): Array<{ status: number; reasons: ErrorReason[] }> {
  const framework = new Map(Object.entries(reasonOfStatus).map(([status, reason]) => [reason, Number(status)]));
  const statusOf = (reason: ErrorReason) => framework.get(reason) ?? httpStatus(errorTable[reason].code);
  const overRest = (Object.keys(errorTable) as ErrorReason[]).filter((reason) => !notOverRest.includes(reason));
  return [...Map.groupBy(overRest, statusOf)]
    .map(([status, reasons]) => ({ status, reasons }))
    .sort((a, b) => a.status - b.status);
}

/** The details that an error can have, and their meanings. */
const detailMessages: ReadonlyArray<{ desc: DescMessage; description: string }> = [
  { desc: ErrorInfoSchema, description: "Why the request failed, for programs." },
  { desc: BadRequestSchema, description: "Everything that is wrong with the request." },
  { desc: ResourceInfoSchema, description: "What was not found." },
  { desc: QuotaFailureSchema, description: "The limits that the request would have exceeded." },
  { desc: RetryInfoSchema, description: "When to try again." },
  { desc: HelpSchema, description: "Links to further reading." },
];

/** Their types. */
export const errorDetailMessages: readonly DescMessage[] = detailMessages.map(({ desc }) => desc);

const codeNames = Object.values(Code)
  .filter((code) => typeof code === "number")
  .map(codeName);

/** The form of every error. */
export const errorSchema: JsonSchema = { $ref: "#/components/schemas/Error" };

/** The schemas of errors and their details, given those of the messages. */
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
      description: "Details of the error, for programs. `ErrorInfo` has the reason.",
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
        const message = errorTable[reason].message
          .replace(/\{nearest\}/g, "; the nearest names: …")
          .replace(/\{\w+\}/g, "…");
        return `| ${status} | \`${reason}\` | ${message.replaceAll("|", "\\|")} |`;
      }),
    )
    .join("\n");
}
