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
