import type { DescService } from "@bufbuild/protobuf";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import { type Health, HealthCheckResponse_ServingStatus as Status } from "../../gen/health/v1/health_pb.ts";
import { AdminService } from "../../gen/modelscout/v1/admin_pb.ts";
import { Bell } from "../pace/index.ts";
import { methodAccess } from "./call/method-options.ts";
import type { Readiness } from "./call/ready.ts";

/** How often the readiness is checked. */
const CHECK_EVERY_MS = 1_000;

/** The parts of the service that are ready. */
export interface ReadyParts {
  /** Whether every call can be answered. */
  all: boolean;
  /** Whether calls that need only the state can be answered. */
  state: boolean;
}

/** Checks the readiness once a second for all watchers together, and not at all without watchers. */
export class ReadinessWatch {
  readonly #readiness: Readiness;
  readonly #watchers = new Set<Bell>();
  #timer: NodeJS.Timeout | undefined;
  /** It stays the same object until something changes. */
  #latest: ReadyParts | undefined;

  constructor(readiness: Readiness) {
    this.#readiness = readiness;
  }

  /** Yields the ready parts now, and again after each change, until the signal aborts. */
  async *follow(signal: AbortSignal): AsyncGenerator<ReadyParts> {
    const bell = new Bell();
    const ring = () => bell.ring();
    this.#watchers.add(bell);
    signal.addEventListener("abort", ring);
    if (this.#watchers.size === 1) {
      void this.#check();
    }
    try {
      let sent: ReadyParts | undefined;
      while (!signal.aborted) {
        bell.reset();
        if (this.#latest !== undefined && this.#latest !== sent) {
          sent = this.#latest;
          yield sent;
          continue;
        }
        await bell.wait();
      }
    } finally {
      signal.removeEventListener("abort", ring);
      this.#watchers.delete(bell);
      if (this.#watchers.size === 0) {
        this.#rest();
      }
    }
  }

  async #check(): Promise<void> {
    const [all, state] = await Promise.all([this.#readiness.waitingFor(), this.#readiness.waitingFor("state")]);
    if (this.#watchers.size === 0) {
      return;
    }
    const now = { all: all === undefined, state: state === undefined };
    if (this.#latest?.all !== now.all || this.#latest.state !== now.state) {
      this.#latest = now;
      for (const bell of this.#watchers) {
        bell.ring();
      }
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), CHECK_EVERY_MS).unref();
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Until the next watcher comes, it would become outdated.
    this.#latest = undefined;
  }
}

/** Dependencies of the health service. */
export interface HealthServiceOptions {
  readiness: Readiness;
  /** Shared by all watchers. */
  readinessWatch: ReadinessWatch;
  /** The services of the server, read at every call. */
  services: () => readonly DescService[];
  /** Aborts when the service shuts down. */
  shutdownSignal: AbortSignal;
}

/**
 * Answers grpc.health.v1, for the whole server ("") and for each service. Load balancers decide by it whether to send
 * calls here. A watch sends every change, and at last the shutdown.
 */
export function healthService({
  readiness,
  readinessWatch,
  services,
  shutdownSignal,
}: HealthServiceOptions): ServiceImpl<typeof Health> {
  /** @param isReady called if the status depends on it. */
  async function statusOf(name: string, isReady: (part: keyof ReadyParts) => Promise<boolean>): Promise<Status> {
    const service = services().find(({ typeName }) => typeName === name);
    if (service === undefined && name !== "") {
      return Status.SERVICE_UNKNOWN;
    }
    if (shutdownSignal.aborted) {
      return Status.NOT_SERVING;
    }
    // Services that answer anyone need no other part.
    if (service?.methods.every((method) => methodAccess(method).isOpen)) {
      return Status.SERVING;
    }
    return (await isReady(name === AdminService.typeName ? "state" : "all")) ? Status.SERVING : Status.NOT_SERVING;
  }
  const isReadyNow = async (part: keyof ReadyParts) =>
    (await readiness.waitingFor(part === "state" ? "state" : undefined)) === undefined;

  return {
    async check({ service }) {
      const status = await statusOf(service, isReadyNow);
      if (status === Status.SERVICE_UNKNOWN) {
        throw new ConnectError(`There is no service ${JSON.stringify(service.slice(0, 200))}`, Code.NotFound);
      }
      return { status };
    },

    async *watch({ service }, { signal }) {
      let sent: Status | undefined;
      for await (const ready of readinessWatch.follow(signal)) {
        const status = await statusOf(service, async (part) => ready[part]);
        if (status !== sent) {
          yield { status };
        }
        sent = status;
      }
      // The signal also aborts when the caller leaves.
      const last = shutdownSignal.aborted ? await statusOf(service, isReadyNow) : sent;
      if (last !== undefined && last !== sent) {
        yield { status: last };
      }
    },

    async list() {
      const names = ["", ...services().map(({ typeName }) => typeName)];
      const statuses = await Promise.all(
        names.map(async (name) => [name, { status: await statusOf(name, isReadyNow) }] as const),
      );
      return { statuses: Object.fromEntries(statuses) };
    },
  };
}
