import { createTerminal, runCli } from "./cli/index.ts";

// LanceDB's native log is chatty; an operator who wants it sets the variable.
process.env.LANCEDB_LOG ??= "off";

// The state has keys and what customers ask for; what is made here is for its owner alone, LanceDB's files included.
process.umask(0o077);

const { stdout, stderr, env } = process;
process.exitCode = await runCli(process.argv.slice(2), { terminal: createTerminal({ stdout, stderr, env }), env });
