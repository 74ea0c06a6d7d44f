import type { FastifyInstance } from "fastify";
import type { Readiness } from "../rpc/index.ts";
import { commit, version } from "../version.ts";

/** The paths below. */
export const healthPaths = ["/healthz", "/readyz"] as const;

/** Serves `/healthz`, which shows that the process runs, and `/readyz`, which shows whether it can answer. */
export function healthRoutes(server: FastifyInstance, readiness: Readiness): void {
  // Load balancers send no key. They must never be refused, however often they ask.
  const config = { audience: "monitors", isProbe: true } as const;
  server.get("/healthz", { config }, () => ({ status: "ok", version, commit }));
  server.get("/readyz", { config }, async (_request, reply) => {
    const waitingFor = await readiness.waitingFor();
    if (waitingFor === undefined) {
      return { status: "ready" };
    }
    return reply.code(503).header("retry-after", "1").send({ status: "not ready", waiting_for: waitingFor });
  });
}
