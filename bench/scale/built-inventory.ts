import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildResult } from "./build-inventory.ts";

/** Builds an inventory of synthetic models in a home, unless it has a complete one. @param tell gets the progress. */
export async function builtInventory(models: number, home: string, tell: (line: string) => void): Promise<BuildResult> {
  const file = join(home, "built.json");
  const kept = await readFile(file, "utf8").catch(() => undefined);
  if (kept !== undefined) {
    tell("  exists from an earlier run, whose times are reported");
    return JSON.parse(kept);
  }
  await mkdir(home, { recursive: true });
  const script = fileURLToPath(new URL("./build-inventory.ts", import.meta.url));
  const child = spawn(process.execPath, [script, String(models), home], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) {
    throw new Error(`building ${models} models failed`);
  }
  await writeFile(file, output);
  return JSON.parse(output);
}
