export { createServer } from "./create-server.ts";
export { createLoopbackGuard } from "./loopback-guard.ts";
