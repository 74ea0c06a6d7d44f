import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import { transcodingPlugin } from "connect-transcoding/fastify";
import fastify from "fastify";
import { routes } from "./library.ts";

const server = fastify();
await server.register(fastifyConnectPlugin, { routes }); // Connect, gRPC-Web and gRPC
await server.register(transcodingPlugin, { routes }); // REST
console.log(await server.listen({ port: Number(process.env.PORT ?? 8080) }));
