import type { ErrorReason } from "../error.ts";

/** The stable reason of errors that the framework makes, by HTTP status. */
export const reasonOfStatus: Readonly<Record<number, ErrorReason>> = {
  404: "PATH_NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  413: "BODY_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  501: "METHOD_UNKNOWN",
};
