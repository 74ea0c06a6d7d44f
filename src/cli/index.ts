export { runCli } from "./run-cli.ts";
export { createTerminal } from "./terminal/terminal.ts";
