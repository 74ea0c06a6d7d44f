/** A request that was answered, or whose caller has left. */
export interface DoneRequest {
  /** `package.Service/Method`; for requests that are not calls, `page`, `monitoring` or `unknown`. */
  method: string;
  protocol: Protocol;
  /** The name of the gRPC code, such as OK or NOT_FOUND. */
  code: string;
  seconds: number;
  /** Milliseconds of the steps of its recommendations, by their names. */
  stages: Readonly<Record<string, number>>;
}

/** The protocol of a request. `http` is for requests that are not calls: pages, health and unknown paths. */
export type Protocol = "rest" | "connect" | "grpc" | "grpc-web" | "mcp" | "http";

/** Receives events of the service, for metrics. Its methods must not throw or block. */
export interface Telemetry {
  requestDone(request: DoneRequest): void;
  /** The language model was to read a need. */
  readingDone(outcome: string, seconds: number): void;
  /** A call was refused because of a limit, `daily` or `burst`. */
  refused(limit: string, tier: string): void;
  /** A stream of a method was opened, or has ended. */
  streams(method: string, change: 1 | -1): void;
}

/** Measures nothing. */
export const noTelemetry: Telemetry = { requestDone() {}, readingDone() {}, refused() {}, streams() {} };

/** The present state of the service. */
export interface Gauges {
  isReady: boolean;
  /** Undefined until the inventory is open. */
  inventory?: {
    models: number;
    /** When it was last written, in milliseconds since 1970. */
    writtenAt: number;
    /** Bytes that LanceDB keeps in memory for it. */
    cachedBytes: number;
  };
  /** Batches that have not ended; undefined until the state is open. */
  unfinishedBatches?: number;
  /** Deliveries to webhooks that wait; undefined until the state is open. */
  deliveries?: {
    pending: number;
    /**
     * Since when the delivery that waits longest has been due, in milliseconds since 1970; undefined if none is due.
     */
    dueSince: number | undefined;
  };
  /** The last sync of every source that was ever synced. */
  syncs: ReadonlyArray<{
    source: string;
    outcome: string;
    /** Milliseconds since 1970. */
    endedAt: number;
    /** When the last successful one ended, in milliseconds since 1970; undefined if there is none. */
    succeededAt: number | undefined;
    seconds: number;
    /** Models by what happened to them: added, changed and so on. */
    models: Readonly<Record<string, number>>;
    /** Faults of the source's server. */
    faults: number;
  }>;
}
