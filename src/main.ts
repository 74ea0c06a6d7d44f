import { runCli } from "./cli/run-cli.ts";
import { createTerminal } from "./cli/terminal.ts";

// LanceDB's native log is chatty; an operator who wants it sets the variable.
process.env.LANCEDB_LOG ??= "off";

const { stdout, stderr, env } = process;
process.exitCode = await runCli(process.argv.slice(2), { terminal: createTerminal({ stdout, stderr, env }), env });
