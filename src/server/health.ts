import type { FastifyInstance } from "fastify";
import type { Readiness } from "../rpc/index.ts";
import { version } from "../version.ts";

/** The paths below. */
export const healthPaths = ["/healthz", "/readyz"] as const;

/** `/healthz` says that the process lives, `/readyz` that it can serve. */
export function healthRoutes(server: FastifyInstance, readiness: Readiness): void {
  // Load balancers ask without a key and are not to be refused, however often they do.
  const config = { audience: "monitors", isProbe: true } as const;
  server.get("/healthz", { config }, () => ({ status: "ok", version }));
  server.get("/readyz", { config }, async (_request, reply) => {
    const waitingFor = await readiness.waitingFor();
    if (waitingFor === undefined) {
      return { status: "ready" };
    }
    return reply.code(503).header("retry-after", "1").send({ status: "not ready", waiting_for: waitingFor });
  });
}
