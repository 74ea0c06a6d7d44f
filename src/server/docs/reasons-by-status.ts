import { type ErrorReason, errorTable } from "../../error.ts";
import { httpStatus } from "../../transcoding/index.ts";
import { reasonOfStatus } from "../reason-of-status.ts";

/** Reasons that belong to methods without REST. */
const notOverRest: readonly ErrorReason[] = [
  "METHOD_UNKNOWN",
  "KEY_NOT_FOUND",
  "OPERATOR_OFF",
  "OPERATOR_TOKEN_REFUSED",
  "OPERATOR_ATTEMPTS_EXCEEDED",
  "SYNC_RUNNING",
];

/** The statuses of REST answers and the reasons that they tell, in the order of the statuses. */
export function reasonsByStatus(): Array<{ status: number; reasons: ErrorReason[] }> {
  const framework = new Map(Object.entries(reasonOfStatus).map(([status, reason]) => [reason, Number(status)]));
  const statusOf = (reason: ErrorReason) => framework.get(reason) ?? httpStatus(errorTable[reason].code);
  const told = (Object.keys(errorTable) as ErrorReason[]).filter((reason) => !notOverRest.includes(reason));
  return [...Map.groupBy(told, statusOf)]
    .map(([status, reasons]) => ({ status, reasons }))
    .sort((a, b) => a.status - b.status);
}
