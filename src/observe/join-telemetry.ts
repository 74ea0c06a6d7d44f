import type { Telemetry } from "./telemetry.ts";

/** Tells everything to each of several; to nobody where there is none. */
export function joinTelemetry(parts: readonly Telemetry[]): Telemetry {
  return {
    requestDone(request) {
      for (const part of parts) part.requestDone(request);
    },
    stageDone(stage, seconds) {
      for (const part of parts) part.stageDone(stage, seconds);
    },
    refused(limit, tier) {
      for (const part of parts) part.refused(limit, tier);
    },
    streams(method, change) {
      for (const part of parts) part.streams(method, change);
    },
  };
}
