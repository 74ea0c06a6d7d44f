/** Serves a Fastify route that does nothing, from a process of its own, and prints its URL. Ends with its input. */
import fastify from "fastify";

const server = fastify();
server.get("/", async () => ({}));
console.log(await server.listen({ host: "127.0.0.1", port: 0 }));
process.stdin.resume().on("end", () => process.exit());
