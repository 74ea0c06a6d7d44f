export { createServer } from "./create-server.ts";
export { describedContract } from "./docs/create-api-document.ts";
export { errorRegistry } from "./errors/complete-error.ts";
export { createLoopbackGuard } from "./loopback-guard.ts";
