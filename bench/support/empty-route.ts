/** Serves an empty Fastify route from a separate process, and prints its URL. Ends when its input ends. */
import fastify from "fastify";

const server = fastify();
server.get("/", async () => ({}));
console.log(await server.listen({ host: "127.0.0.1", port: 0 }));
process.stdin.resume().on("end", () => process.exit());
