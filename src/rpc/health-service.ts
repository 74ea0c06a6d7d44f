import { setTimeout } from "node:timers/promises";
import type { DescService } from "@bufbuild/protobuf";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import { type Health, HealthCheckResponse_ServingStatus as Status } from "../../gen/health/v1/health_pb.ts";
import { AdminService } from "../../gen/modelscout/v1/admin_pb.ts";
import { methodAccess } from "./method-access.ts";
import type { Readiness } from "./readiness.ts";

/** How often a watched service is looked at. */
const LOOK_EVERY_MS = 1_000;

/** What health is told of. */
export interface HealthServiceOptions {
  readiness: Readiness;
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
  services,
  shutdownSignal,
}: HealthServiceOptions): ServiceImpl<typeof Health> {
  async function statusOf(name: string): Promise<Status> {
    const service = services().find(({ typeName }) => typeName === name);
    if (service === undefined && name !== "") return Status.SERVICE_UNKNOWN;
    if (shutdownSignal.aborted) return Status.NOT_SERVING;
    // What is open needs nothing that could be missing.
    if (service?.methods.every((method) => methodAccess(method).isOpen)) return Status.SERVING;
    const waitingFor = await readiness.waitingFor(name === AdminService.typeName ? "state" : undefined);
    return waitingFor === undefined ? Status.SERVING : Status.NOT_SERVING;
  }

  return {
    async check({ service }) {
      const status = await statusOf(service);
      if (status === Status.SERVICE_UNKNOWN)
        throw new ConnectError(`There is no service ${JSON.stringify(service.slice(0, 200))}`, Code.NotFound);
      return { status };
    },

    async *watch({ service }, { signal }) {
      let told: Status | undefined;
      while (!signal.aborted || shutdownSignal.aborted) {
        const status = await statusOf(service);
        if (status !== told) yield { status };
        told = status;
        if (shutdownSignal.aborted) return;
        // Ends early when the caller leaves or the service shuts down.
        await setTimeout(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
      }
    },

    async list() {
      const names = ["", ...services().map(({ typeName }) => typeName)];
      const statuses = await Promise.all(names.map(async (name) => [name, { status: await statusOf(name) }] as const));
      return { statuses: Object.fromEntries(statuses) };
    },
  };
}
