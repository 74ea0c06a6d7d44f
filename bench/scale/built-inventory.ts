import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildResult } from "./build-inventory.ts";

/** Makes the inventory of a home, so many made-up models, unless it is there and whole. @param tell gets the progress. */
export async function builtInventory(models: number, home: string, tell: (line: string) => void): Promise<BuildResult> {
  const file = join(home, "built.json");
  const kept = await readFile(file, "utf8").catch(() => undefined);
  if (kept !== undefined) {
    tell("  is there from an earlier time; what it took is told from then");
    return JSON.parse(kept);
  }
  await mkdir(home, { recursive: true });
  const script = fileURLToPath(new URL("./build-inventory.ts", import.meta.url));
  const child = spawn(process.execPath, [script, String(models), home], { stdio: ["ignore", "pipe", "inherit"] });
  let told = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    told += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) {
    throw new Error(`making ${models} models failed`);
  }
  await writeFile(file, told);
  return JSON.parse(told);
}
