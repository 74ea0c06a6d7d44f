import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Some 1,700 modules are compiled at a start; compiled code that is kept saves a third of the processor time. Where
// the folder cannot be written, Node goes on without it.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/modelscout", import.meta.url)));
// Importing node:http as an ES module reads these getters, which load Node's client for web requests: 14 MB of memory.
// Nothing here uses them, and fetch() loads the client at its first call.
const http = process.getBuiltinModule("node:http");
for (const name of ["WebSocket", "CloseEvent", "MessageEvent"]) {
  Reflect.deleteProperty(http, name);
}
const { createTerminal, runCli } = await import("./cli/index.ts");

// LanceDB's native log is noisy. An operator who wants it sets the variable.
process.env.LANCEDB_LOG ??= "off";

// The state holds keys and customers' needs, so all files created here, LanceDB's too, are for their owner only.
process.umask(0o077);

const { stdout, stderr, env } = process;
process.exitCode = await runCli(process.argv.slice(2), { terminal: createTerminal({ stdout, stderr, env }), env });
