#!/usr/bin/env node
// Plain JavaScript that any Node since 14 understands: it finds the Node that the program needs.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import module, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isNewEnough, sayWhatIsNeeded } from "./needed-node.js";

if (isNewEnough(process.versions.node)) {
  // A clone runs as it is; a package holds compiled JavaScript, because Node strips no types under node_modules.
  const source = new URL("../src/main.ts", import.meta.url);
  // As in main.ts, but before Node loads its compiler of TypeScript.
  module.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/modelscout", import.meta.url)));
  await import(existsSync(source) ? source.href : new URL("../dist/main.js", import.meta.url).href);
} else {
  runOn(pinnedNode());
}

/** The Node of the npm package `node`; undefined where it is not installed, or is too old as well. */
function pinnedNode() {
  try {
    const require = createRequire(import.meta.url);
    const binary = join(
      dirname(require.resolve("node/package.json")),
      "bin",
      process.platform === "win32" ? "node.exe" : "node",
    );
    return isNewEnough(require("node/package.json").version) && existsSync(binary) ? binary : undefined;
  } catch {
    // runOn() prints what to do.
    return undefined;
  }
}

function runOn(binary) {
  if (binary === undefined) {
    sayWhatIsNeeded();
    return;
  }
  const args = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(binary, args, { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => child.kill(signal));
  }
  endWithNpm(child);
  child.on("error", (error) => {
    console.error(`Error: ${binary} could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    if (signal === null) {
      process.exitCode = code;
      return;
    }
    // Ends as the program ended, so that a shell sees the same.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Stops the program when npx, which started this launcher, has ended; see src/cli/stop-signals.ts. */
function endWithNpm(child) {
  if (process.env.npm_lifecycle_event !== "npx" || process.platform === "win32" || leadsSession()) {
    return;
  }
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) {
      clearInterval(timer);
      child.kill("SIGTERM");
    }
  }, 250).unref();
}

/** Whether this process has a session of its own, as setsid makes it: then it outlives npx. */
function leadsSession() {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3]) === process.pid;
  } catch {
    return false;
  }
}
