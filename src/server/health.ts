import type { FastifyInstance } from "fastify";
import { version } from "../version.ts";

/** Whether the service can answer. */
export interface Readiness {
  /** What is being waited for; undefined when the service can answer. */
  readonly waitingFor: string | undefined;
}

/** The paths below. */
export const healthPaths = ["/healthz", "/readyz"] as const;

/** `/healthz` says that the process lives, `/readyz` that it can serve. */
export function healthRoutes(server: FastifyInstance, readiness: Readiness): void {
  server.get("/healthz", () => ({ status: "ok", version }));
  server.get("/readyz", (_request, reply) => {
    const { waitingFor } = readiness;
    if (waitingFor === undefined) return { status: "ready" };
    return reply.code(503).header("retry-after", "1").send({ status: "not ready", waiting_for: waitingFor });
  });
}
