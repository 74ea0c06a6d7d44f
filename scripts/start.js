/**
 * Starts the service (`npm start`). The C library reads its environment when a process begins, so this process executes
 * the service in its place: no second process stays, and signals reach the service. Plain JavaScript, so that an older
 * Node can say what is missing.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { isNewEnough, sayWhatIsNeeded } from "../bin/needed-node.js";

if (isNewEnough(process.versions.node)) {
  await start();
} else {
  sayWhatIsNeeded();
}

async function start() {
  const { serveArgs, serveEnvironment } = await import("./serve-command.ts");
  const args = [...serveArgs, ...process.argv.slice(2)];
  const env = { ...serveEnvironment, ...process.env };
  if (process.execve === undefined || process.platform === "win32") {
    const [code] = await once(spawn(process.execPath, args, { stdio: "inherit", env }), "exit");
    process.exitCode = code ?? 1;
  } else {
    process.execve(process.execPath, [process.execPath, ...args], env);
  }
}
