/** A request that was answered, or whose caller left. */
export interface DoneRequest {
  /** `package.Service/Method`; for what is no call, `page`, `monitoring` or `unknown`. */
  method: string;
  protocol: Protocol;
  /** The name of the gRPC code, such as OK or NOT_FOUND. */
  code: string;
  seconds: number;
}

/** How a request came. `http` is what is no call: pages, health and what is not known. */
export type Protocol = "rest" | "connect" | "grpc" | "grpc-web" | "http";

/** Is told what the service does, to make figures of it. Nothing of it may fail or wait. */
export interface Telemetry {
  requestDone(request: DoneRequest): void;
  /** A step of a recommendation. */
  stageDone(stage: string, seconds: number): void;
  /** A call was refused because of a limit, `daily` or `burst`. */
  refused(limit: string, tier: string): void;
  /** A stream of a method was opened, or has ended. */
  streams(method: string, change: 1 | -1): void;
}

/** Tells everything to each of several; to nobody where there is none. */
export function joinTelemetry(parts: readonly Telemetry[]): Telemetry {
  return {
    requestDone(request) {
      for (const part of parts) {
        part.requestDone(request);
      }
    },
    stageDone(stage, seconds) {
      for (const part of parts) {
        part.stageDone(stage, seconds);
      }
    },
    refused(limit, tier) {
      for (const part of parts) {
        part.refused(limit, tier);
      }
    },
    streams(method, change) {
      for (const part of parts) {
        part.streams(method, change);
      }
    },
  };
}

/** How the service stands at this moment. */
export interface Gauges {
  isReady: boolean;
  /** Undefined until the inventory is open. */
  inventory?: {
    models: number;
    /** When it was last written, in milliseconds since 1970. */
    writtenAt: number;
    /** What LanceDB keeps of it in memory, in bytes. */
    cachedBytes: number;
  };
  /** Batches that have not ended; undefined until the state is open. */
  unfinishedBatches?: number;
  /** What waits to be delivered to webhooks; undefined until the state is open. */
  deliveries?: {
    pending: number;
    /** Since when the one that waits longest has been due, in milliseconds since 1970; undefined when nothing is. */
    dueSince: number | undefined;
  };
  /** The last sync of every source that was ever synced. */
  syncs: ReadonlyArray<{
    source: string;
    outcome: string;
    /** Milliseconds since 1970. */
    endedAt: number;
    /** When one last ended as it should, in milliseconds since 1970; undefined for never. */
    succeededAt: number | undefined;
    seconds: number;
    /** Models by what became of them: added, changed and so on. */
    models: Readonly<Record<string, number>>;
    /** Faults of the source's server. */
    faults: number;
  }>;
}
