import type { FastifyInstance } from "fastify";
import { metricsPath, type ReadMetrics } from "../../observe/metrics-server.ts";

/** Serves the figures beside everything else. */
export function metricsRoute(server: FastifyInstance, read: ReadMetrics): void {
  server.get(metricsPath, { config: { audience: "monitors" } }, async (_request, reply) => {
    const { type, body } = await read();
    return reply.header("cache-control", "no-store").type(type).send(body);
  });
}
