import { createTerminal, runCli } from "./cli/index.ts";

// LanceDB's native log is noisy. An operator who wants it sets the variable.
process.env.LANCEDB_LOG ??= "off";

// The state holds keys and customers' needs, so all files created here, LanceDB's too, are for their owner only.
process.umask(0o077);

const { stdout, stderr, env } = process;
process.exitCode = await runCli(process.argv.slice(2), { terminal: createTerminal({ stdout, stderr, env }), env });
