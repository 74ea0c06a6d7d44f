import type { DescService } from "@bufbuild/protobuf";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import { type Health, HealthCheckResponse_ServingStatus as Status } from "../../gen/health/v1/health_pb.ts";
import { AdminService } from "../../gen/modelscout/v1/admin_pb.ts";
import { Bell } from "../pace/index.ts";
import { methodAccess } from "./call/method-options.ts";
import type { Readiness } from "./call/ready.ts";

/** How often the readiness is looked at. */
const LOOK_EVERY_MS = 1_000;

/** What was ready at a look. */
export interface ReadyParts {
  /** Whether everything can be answered. */
  all: boolean;
  /** Whether what needs keys and quotas alone can be answered. */
  state: boolean;
}

/** Looks at the readiness once a second for all who watch it together, and not at all while nobody does. */
export class ReadinessWatch {
  readonly #readiness: Readiness;
  readonly #watchers = new Set<Bell>();
  #timer: NodeJS.Timeout | undefined;
  /** The same object until something has changed. */
  #seen: ReadyParts | undefined;

  constructor(readiness: Readiness) {
    this.#readiness = readiness;
  }

  /** What is ready at first, and whenever that has changed, until the signal aborts. */
  async *follow(signal: AbortSignal): AsyncGenerator<ReadyParts> {
    const bell = new Bell();
    const ring = () => bell.ring();
    this.#watchers.add(bell);
    signal.addEventListener("abort", ring);
    if (this.#watchers.size === 1) {
      void this.#look();
    }
    try {
      let told: ReadyParts | undefined;
      while (!signal.aborted) {
        bell.reset();
        if (this.#seen !== undefined && this.#seen !== told) {
          told = this.#seen;
          yield told;
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

  async #look(): Promise<void> {
    const [all, state] = await Promise.all([this.#readiness.waitingFor(), this.#readiness.waitingFor("state")]);
    if (this.#watchers.size === 0) {
      return;
    }
    const now = { all: all === undefined, state: state === undefined };
    if (this.#seen?.all !== now.all || this.#seen.state !== now.state) {
      this.#seen = now;
      for (const bell of this.#watchers) {
        bell.ring();
      }
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), LOOK_EVERY_MS).unref();
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Old by the time that somebody watches again.
    this.#seen = undefined;
  }
}

/** What health is told of. */
export interface HealthServiceOptions {
  readiness: Readiness;
  /** Shared by all watchers. */
  readinessWatch: ReadinessWatch;
  /** What is served; asked for with every call. */
  services: () => readonly DescService[];
  /** Aborts when the service shuts down. */
  shutdownSignal: AbortSignal;
}

/**
 * Answers grpc.health.v1, by which load balancers tell whether to send calls here: for the whole ("") and for each
 * service. A watch tells of every change, of the shutdown last.
 */
export function healthService({
  readiness,
  readinessWatch,
  services,
  shutdownSignal,
}: HealthServiceOptions): ServiceImpl<typeof Health> {
  /** @param isReady asked where the status depends on it. */
  async function statusOf(name: string, isReady: (part: keyof ReadyParts) => Promise<boolean>): Promise<Status> {
    const service = services().find(({ typeName }) => typeName === name);
    if (service === undefined && name !== "") {
      return Status.SERVICE_UNKNOWN;
    }
    if (shutdownSignal.aborted) {
      return Status.NOT_SERVING;
    }
    // What is open needs nothing that could be missing.
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
      let told: Status | undefined;
      for await (const ready of readinessWatch.follow(signal)) {
        const status = await statusOf(service, async (part) => ready[part]);
        if (status !== told) {
          yield { status };
        }
        told = status;
      }
      // The signal aborts when the caller leaves, too.
      const last = shutdownSignal.aborted ? await statusOf(service, isReadyNow) : told;
      if (last !== undefined && last !== told) {
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
